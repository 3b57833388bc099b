/** A page with a cursor for the next one. */
export interface CursorPage {
  cursor: { next: string };
  pagination: { hasMore: boolean };
}

/** A page that says how many items precede it. */
export interface OffsetPage {
  pagination: { hasMore: boolean; total: number };
}

/**
 * The items of all pages, which are read as they are needed.
 *
 * After the last item, `cursor` is where to continue later: pass it to the same method. Before, it is the beginning of the next page.
 */
export class CursorItems<Page extends CursorPage, Item> implements AsyncIterable<Item> {
  constructor(
    private readonly readPage: (cursor: string | undefined) => Promise<Page>,
    private readonly getItems: (page: Page) => readonly Item[],
    public cursor?: string,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for (let hasMore = true; hasMore; ) {
      const page = await this.readPage(this.cursor);
      this.cursor = page.cursor.next;
      hasMore = page.pagination.hasMore;
      yield* this.getItems(page);
    }
  }
}

/** The items of all pages, which are read as they are needed. `total` is the number of items once a page was read. */
export class OffsetItems<Page extends OffsetPage, Item> implements AsyncIterable<Item> {
  total?: number;

  constructor(
    private readonly readPage: (offset: number) => Promise<Page>,
    private readonly getItems: (page: Page) => readonly Item[],
    public offset = 0,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for (let hasMore = true; hasMore; ) {
      const page = await this.readPage(this.offset);
      const items = this.getItems(page);
      this.offset += items.length;
      this.total = page.pagination.total;
      hasMore = page.pagination.hasMore && items.length > 0;
      yield* items;
    }
  }
}
