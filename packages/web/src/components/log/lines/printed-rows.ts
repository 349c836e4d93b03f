export interface Rows {
  first: number;
  /** Behind the last. */
  end: number;
}

/** At most so many rows are printed before and after those that are drawn: some twenty pages. */
const most = 500;

/** What can be printed at once: the rows that are drawn, and those around them whose text has come. */
export function printedRows(drawn: Rows, count: number, hasText: (row: number) => boolean): Rows {
  let { first, end } = drawn;
  while (first > 0 && first > drawn.first - most && hasText(first - 1)) first--;
  while (end < count && end < drawn.end + most && hasText(end)) end++;
  return { first, end };
}
