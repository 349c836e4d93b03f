/** A run with the label keep is never removed because of its age (store/history/history-holds.ts has the same rule for the database). */
export function hasKeepLabel(labels: Readonly<Record<string, string>>): boolean {
  return labels["keep"] !== undefined && labels["keep"] !== "false";
}

/** When an id was created (the first 48 bits of a UUID of version 7); undefined for any other text. */
export function dateOfId(id: string): Date | undefined {
  const [, high, low] = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/i.exec(id) ?? [];
  return high === undefined ? undefined : new Date(Number.parseInt(`${high}${low}`, 16));
}
