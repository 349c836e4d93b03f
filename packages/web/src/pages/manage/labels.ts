/** A row of the table of labels, while it is edited. */
export interface Label {
  /** Stays the same while the row is typed in. */
  row: number;
  key: string;
  value: string;
}

export function toLabels(labels: Readonly<Record<string, string>>): Label[] {
  return Object.entries(labels).map(([key, value], row) => ({ row, key, value }));
}

/** What to send: labels are merged, so those that are gone are set to null. Rows without a key count as not there. */
export function labelChange(before: Readonly<Record<string, string>>, after: readonly Label[]): Record<string, string | null> {
  const wanted = Object.fromEntries(after.filter(({ key }) => key.trim() !== "").map(({ key, value }) => [key.trim(), value]));
  const gone = Object.keys(before).filter((key) => !(key in wanted));
  const changed = Object.entries(wanted).filter(([key, value]) => before[key] !== value);
  return Object.fromEntries([...gone.map((key) => [key, null] as const), ...changed]);
}
