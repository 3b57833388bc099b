/* All names with a rare word are scored. The remaining candidates contain only frequent words of the query. Posting lists start
 * with the lightest name, which scores best among equal matches, so that a budget cuts off the least similar names.
 */
#include "candidates.h"

#include "collector.h"
#include "sorting.h"

/* The maximum number of entries of posting lists that are read completely, rarest words first. */
enum { RARE_BUDGET = 6000 };

/* Order the columns by frequency, of equal ones the first before. */
static void order_columns(Search *search, const Plan *plan, uint32_t *columns) {
    uint64_t *keys = scratch_array(&search->scratch, plan->column_count, sizeof *keys);
    int64_t highest = 0;
    for (uint32_t column = 0; column < plan->column_count; column++) {
        keys[column] = (uint64_t)plan->frequencies[column] << COLUMN_BITS | column;
        highest = plan->frequencies[column] > highest ? plan->frequencies[column] : highest;
    }
    sort_by_bits(&search->scratch, keys, plan->column_count, COLUMN_BITS, COLUMN_BITS + count_needed_bits((uint64_t)highest));
    for (uint32_t place = 0; place < plan->column_count; place++) {
        columns[place] = (uint32_t)(keys[place] & COLUMN_MASK);
    }
}

static void init_collector(Collector *collector) {
    Search *search = collector->search;
    const Plan *plan = collector->plan;
    collector->columns = scratch_array(&search->scratch, plan->column_count, sizeof *collector->columns);
    collector->holders = scratch_array(&search->scratch, plan->column_count, sizeof *collector->holders);
    collector->bitsets = scratch_array(&search->scratch, plan->column_count, sizeof *collector->bitsets);
    collector->is_frequent = scratch_zeros(&search->scratch, plan->column_count, sizeof *collector->is_frequent);
    order_columns(search, plan, collector->columns);
    for (uint32_t column = 0; column < plan->column_count; column++) {
        collector->holders[column] = field_holders(search->field, &search->scratch, plan->tokens[column]);
        collector->bitsets[column] = field_bitset(search->field, plan->tokens[column]);
    }
    size_t rare = 0;
    for (int64_t entries = 0; rare < plan->column_count; rare++) {
        entries += plan->frequencies[collector->columns[rare]];
        if (entries > RARE_BUDGET) {
            break;
        }
    }
    collector->rare = (Columns){collector->columns, rare};
    collector->frequent = (Columns){collector->columns + rare, plan->column_count - rare};
    for (size_t place = 0; place < collector->frequent.count; place++) {
        collector->is_frequent[collector->frequent.columns[place]] = true;
    }
    collector->frequent_shared = plan_max_shared(plan, collector->frequent);
    collector->frequent_excess = plan_max_excess(plan, collector->frequent);
}

void collect_names(Search *search, const Plan *plan, TopNames *top, bool frequent) {
    if (plan->column_count > COLUMN_MASK) {
        scratch_fail(&search->scratch, SEARCH_DAMAGED);
    }
    Collector collector = {.search = search, .plan = plan, .top = top};
    init_collector(&collector);
    if (collector.rare.count > 0) {
        score_rare_names(&collector);
    }
    if (frequent && collector.frequent.count > 0 && is_reachable(&collector, collector.frequent)) {
        score_frequent_names(&collector);
    }
}
