#include "plan.h"

#include <math.h>
#include <string.h>

#include "sorting.h"

enum { LEGAL_FORM_WEIGHT = 3000 };

/* The parts of a weight in which gains are counted: sums of multiples of 1 / GAIN_UNITS are exact in any order. */
static const double GAIN_UNITS = 1048576.0;

/* A variant with the weight of its slots if it is meant, and the number of names in which that is expected. */
typedef struct {
    Variant variant;
    int64_t weight;
    double likelihood;
    int64_t word_weight;
    int64_t frequency;
} Weighted;

static bool is_likelier(const void *left, const void *right) {
    const Weighted *one = left, *other = right;
    bool one_exact = !(one->variant.similarity < 1), other_exact = !(other->variant.similarity < 1);
    return one_exact != other_exact ? one_exact : one->likelihood > other->likelihood;
}

static bool is_more_similar(const void *left, const void *right) {
    const Weighted *one = left, *other = right;
    return one->variant.similarity > other->variant.similarity;
}

static void weigh(Search *search, const VariantList *variants, Weighted *weighed) {
    const Field *field = search->field;
    for (size_t place = 0; place < variants->count; place++) {
        const Variant *variant = &variants->variants[place];
        int64_t frequency = field_frequency(field, &search->scratch, variant->token);
        int64_t weight = field->word_weights[variant->token];
        Weighted *own = &weighed[place];
        *own = (Weighted){*variant, weight, variant->odds * (double)frequency, weight, frequency};
        if (variant->other_half != NO_TOKEN) {
            int64_t other = field_frequency(field, &search->scratch, variant->other_half);
            own->weight += field->word_weights[variant->other_half];
            /* The two words may be adjacent by coincidence. */
            own->likelihood = variant->odds * (double)frequency * (double)other / field->name_count;
        }
    }
}

/* Keep at most `most` variants of each slot or pair of slots, the likeliest ones; returns how many, ordered by similarity. */
static size_t select_likeliest(Search *search, const void **items, size_t count, size_t most) {
    size_t taken[2 * MAX_SLOTS] = {0}, kept = 0;
    sort_items(&search->scratch, items, count, is_likelier);
    for (size_t place = 0; place < count; place++) {
        const Weighted *own = items[place];
        if (taken[2 * own->variant.slot + own->variant.is_join]++ < most) {
            items[kept++] = own;
        }
    }
    sort_items(&search->scratch, items, kept, is_more_similar);
    return kept;
}

static int64_t lesser(int64_t one, int64_t other) {
    return one < other ? one : other;
}

/* Scale the weights of two slots so that their sum is at most `total`. */
static void cap_pair_weight(int64_t *left, int64_t *right, int64_t total) {
    int64_t before = *left + *right;
    if (total < before) {
        *left = *left * total / before;
        *right = total - *left;
    }
}

static void weigh_slots(Search *search, const void *const *kept, size_t count, int64_t *weights) {
    uint32_t slots = search->query->slot_count;
    double best[MAX_SLOTS] = {0};
    int64_t ceilings[MAX_SLOTS];
    for (uint32_t slot = 0; slot < slots; slot++) {
        ceilings[slot] = search->query->slots[slot].is_form ? LEGAL_FORM_WEIGHT : search->field->rarest_weight;
        weights[slot] = ceilings[slot];
    }
    for (size_t place = 0; place < count; place++) {
        const Weighted *own = kept[place];
        uint32_t slot = own->variant.slot;
        if (own->variant.is_join) {
            continue;
        }
        if (own->variant.similarity == 1) {
            ceilings[slot] = lesser(ceilings[slot], own->weight);
        }
        if (own->likelihood > best[slot]) {
            best[slot] = own->likelihood;
            weights[slot] = own->weight;
        }
    }
    for (uint32_t slot = 0; slot < slots; slot++) {
        weights[slot] = lesser(ceilings[slot], weights[slot]);
    }
    for (size_t place = 0; place < count; place++) {
        const Weighted *own = kept[place];
        uint32_t left = own->variant.slot;
        if (own->variant.is_join && own->likelihood > best[left] * best[left + 1] / search->field->name_count) {
            cap_pair_weight(&weights[left], &weights[left + 1], own->weight);
        }
    }
}

static double to_gain_units(double weight) {
    return rint(weight * GAIN_UNITS) / GAIN_UNITS;
}

static void allocate_columns(Search *search, Plan *plan, size_t most) {
    Scratch *scratch = &search->scratch;
    uint32_t size = 64;
    while (size < 4 * most) {
        size *= 2;
    }
    plan->table_mask = size - 1;
    plan->table = scratch_array(scratch, size, sizeof *plan->table);
    memset(plan->table, 0xFF, size * sizeof *plan->table);
    plan->tokens = scratch_array(scratch, most, sizeof *plan->tokens);
    plan->gains = scratch_zeros(scratch, most * plan->slot_count, sizeof *plan->gains);
    plan->excess = scratch_array(scratch, most, sizeof *plan->excess);
    plan->frequencies = scratch_array(scratch, most, sizeof *plan->frequencies);
    plan->slots = scratch_array(scratch, most * plan->slot_count, sizeof *plan->slots);
    plan->slots_of_column = scratch_zeros(scratch, most, sizeof *plan->slots_of_column);
}

static void add_to_plan(Plan *plan, const Weighted *weighed) {
    uint32_t first = weighed->variant.slot, last = first + weighed->variant.is_join;
    int64_t total = 0;
    for (uint32_t slot = first; slot <= last; slot++) {
        total += plan->weights[slot];
    }
    /* A word that is half of a slot's variant gains its part of the weight. */
    double value = (double)total * ((double)weighed->word_weight / (double)weighed->weight);
    if ((double)weighed->word_weight <= value) {
        value = (double)weighed->word_weight;
    }
    uint32_t *entry = plan_find_entry(plan, weighed->variant.token);
    if (*entry == NO_COLUMN) {
        *entry = plan->column_count++;
        plan->tokens[*entry] = weighed->variant.token;
        plan->excess[*entry] = to_gain_units((double)weighed->word_weight - value);
        plan->frequencies[*entry] = weighed->frequency;
    }
    double *gains = plan->gains + (size_t)*entry * plan->slot_count;
    for (uint32_t slot = first; slot <= last; slot++) {
        double gain = to_gain_units(weighed->variant.similarity * value * (double)plan->weights[slot] / (double)total);
        if (gain > gains[slot]) {
            gains[slot] = gain;
        }
    }
}

static void list_slots(Plan *plan) {
    for (uint32_t column = 0; column < plan->column_count; column++) {
        uint8_t *slots = plan->slots + (size_t)column * plan->slot_count;
        for (uint32_t slot = 0; slot < plan->slot_count; slot++) {
            if (plan_gains(plan, column)[slot] > 0) {
                slots[plan->slots_of_column[column]++] = (uint8_t)slot;
            }
        }
    }
}

void make_plan(Search *search, const VariantList *variants, size_t most, Plan *plan) {
    size_t count = variants->count;
    Weighted *weighed = scratch_array(&search->scratch, count, sizeof *weighed);
    const void **items = scratch_array(&search->scratch, count, sizeof *items);
    weigh(search, variants, weighed);
    for (size_t place = 0; place < count; place++) {
        items[place] = &weighed[place];
    }
    count = select_likeliest(search, items, count, most);
    *plan = (Plan){.slot_count = search->query->slot_count};
    weigh_slots(search, items, count, plan->weights);
    allocate_columns(search, plan, count);
    for (size_t place = 0; place < count; place++) {
        add_to_plan(plan, items[place]);
    }
    for (uint32_t slot = 0; slot < plan->slot_count; slot++) {
        plan->total += plan->weights[slot];
    }
    list_slots(plan);
}

bool plan_is_within(const Plan *plan, const Plan *other) {
    for (uint32_t column = 0; column < plan->column_count; column++) {
        if (plan_find_column(other, plan->tokens[column]) == NO_COLUMN) {
            return false;
        }
    }
    return true;
}

bool plan_has_same_weights(const Plan *plan, const Plan *other) {
    return memcmp(plan->weights, other->weights, plan->slot_count * sizeof *plan->weights) == 0;
}

/* The gain of each slot from all words of these columns, at most its weight. */
static void sum_gains(const Plan *plan, Columns columns, double *sums) {
    memset(sums, 0, plan->slot_count * sizeof *sums);
    for (size_t place = 0; place < columns.count; place++) {
        const double *gains = plan_gains(plan, columns.columns[place]);
        for (uint32_t slot = 0; slot < plan->slot_count; slot++) {
            sums[slot] += gains[slot];
        }
    }
    for (uint32_t slot = 0; slot < plan->slot_count; slot++) {
        if (sums[slot] > (double)plan->weights[slot]) {
            sums[slot] = (double)plan->weights[slot];
        }
    }
}

double plan_max_shared(const Plan *plan, Columns columns) {
    double sums[MAX_SLOTS], shared = 0;
    sum_gains(plan, columns, sums);
    for (uint32_t slot = 0; slot < plan->slot_count; slot++) {
        shared += sums[slot];
    }
    return shared;
}

double plan_max_excess(const Plan *plan, Columns columns) {
    double most[MAX_SLOTS] = {0}, sum = 0;
    for (size_t place = 0; place < columns.count; place++) {
        uint32_t column = columns.columns[place];
        if (plan->slots_of_column[column] > 0 && plan->excess[column] > most[plan_slots(plan, column)[0]]) {
            most[plan_slots(plan, column)[0]] = plan->excess[column];
        }
    }
    for (uint32_t slot = 0; slot < plan->slot_count; slot++) {
        sum += most[slot];
    }
    return sum;
}

size_t plan_best_per_slot(const Plan *plan, Columns columns, uint32_t best[MAX_SLOTS]) {
    bool chosen[MAX_SLOTS] = {false};
    size_t places[MAX_SLOTS], count = 0;
    for (uint32_t slot = 0; slot < plan->slot_count; slot++) {
        double most = 0;
        for (size_t place = 0; place < columns.count; place++) {
            double gain = plan_gains(plan, columns.columns[place])[slot];
            if (gain > most) {
                most = gain;
                places[slot] = place;
            }
        }
        chosen[slot] = most > 0;
    }
    /* In ascending order of places, each once. */
    for (size_t after = 0;;) {
        size_t next = SIZE_MAX;
        for (uint32_t slot = 0; slot < plan->slot_count; slot++) {
            if (chosen[slot] && places[slot] >= after && places[slot] < next) {
                next = places[slot];
            }
        }
        if (next == SIZE_MAX) {
            return count;
        }
        best[count++] = columns.columns[next];
        after = next + 1;
    }
}

size_t plan_min_words(const Plan *plan, Columns columns, double shared) {
    double sums[MAX_SLOTS];
    sum_gains(plan, columns, sums);
    size_t most_slots = 1;
    for (size_t place = 0; place < columns.count; place++) {
        size_t slots = plan->slots_of_column[columns.columns[place]];
        most_slots = slots > most_slots ? slots : most_slots;
    }
    /* Take the highest sums until they suffice; the last one counts also if they do not. */
    double sum = 0;
    size_t slots = 0;
    while (slots < plan->slot_count) {
        uint32_t highest = 0;
        for (uint32_t slot = 1; slot < plan->slot_count; slot++) {
            highest = sums[slot] > sums[highest] ? slot : highest;
        }
        sum += sums[highest];
        sums[highest] = -1;
        slots++;
        if (sum >= shared) {
            break;
        }
    }
    if (sum < shared) {
        slots++;
    }
    return (slots + most_slots - 1) / most_slots;
}
