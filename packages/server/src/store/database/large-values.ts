/**
 * How much of large values (parameters, results …) a list of rows may contain, in bytes of JSON. Ten thousand task runs may have 1 MiB of
 * results each: such a response would exhaust the memory of the process. Rows beyond it come without these values, and say so.
 */
const maxListedBytes = 16 * 1024 * 1024;

export interface SizedRow {
  id: string;
  bytes: number;
}

/** Ids of the rows to be read without their values: the first ones keep theirs up to the limit. */
export function idsWithoutValues(rows: readonly SizedRow[], maxBytes = maxListedBytes): string[] {
  let total = 0;
  const isBeyond = ({ bytes }: SizedRow): boolean => {
    total += bytes;
    return total > maxBytes;
  };
  return rows.filter(isBeyond).map(({ id }) => id);
}
