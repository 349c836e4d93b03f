/** `450 ms`, `3.2 s`, `4 min 5 s`, `2 h 10 min` */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1_000) return `${milliseconds} ms`;
  if (milliseconds < 10_000) return `${(milliseconds / 1_000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1_000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`;
}

/** A date from the API, to the second: `2026-03-01T12:00:00Z`. */
export function formatDate(date: string | number | null | undefined): string | undefined {
  return typeof date === "string" ? date.replace(/\.\d+Z$/, "Z") : date?.toString();
}
