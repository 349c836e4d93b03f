import type { Page } from "@millrace/contract/page.ts";

/** @param total items matching over all pages, counted with the same conditions as the items */
export function viewPage<Item>(
  items: Item[],
  { limit, page, total, sorted }: { limit: number; page: number; total: number; sorted: boolean },
): Page<Item> {
  const totalPages = Math.ceil(total / limit);
  const sort = { sorted, unsorted: !sorted, empty: !sorted };
  return {
    content: items,
    number: page,
    size: limit,
    numberOfElements: items.length,
    totalElements: total,
    totalPages,
    first: page === 0,
    last: page >= totalPages - 1,
    empty: items.length === 0,
    sort,
    pageable: { pageNumber: page, pageSize: limit, offset: page * limit, paged: true, unpaged: false, sort },
  };
}
