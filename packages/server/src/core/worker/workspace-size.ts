const units: Readonly<Record<string, number>> = { Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40 };

/** The size of a workspace in bytes: `2`, `2Gi` (a number alone means Gi), `512Mi`. Undefined if it is none of these, or empty. */
export function workspaceBytes(size: unknown): number | undefined {
  const [, digits, unit = "Gi"] = /^\s*(\d{1,9}(?:\.\d{1,3})?)\s*([KMGT]i)?\s*$/.exec(String(size)) ?? [];
  const bytes = Math.ceil(Number(digits) * (units[unit] ?? 0));
  return Number.isSafeInteger(bytes) && bytes > 0 ? bytes : undefined;
}

/** The size as text, in whole Gi or otherwise in whole Mi, rounded down; at least 1Mi. @param bytes a finite number */
export function workspaceSize(bytes: number): string {
  const mebibytes = Math.max(1, Math.floor(bytes / 2 ** 20));
  return mebibytes % 1024 === 0 ? `${mebibytes / 1024}Gi` : `${mebibytes}Mi`;
}
