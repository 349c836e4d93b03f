/** How long a token is good, as the form offers it. */
export const expiries = [
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "A year" },
  { value: "date", label: "Custom date" },
  { value: "never", label: "No expiry" },
] as const;

const dayMs = 86_400_000;

/** ISO 8601, or null for no end. @param day `2026-03-01`, of the viewer's zone: the token is good until that day ends */
export function expiryDate(choice: string, day: string, nowMs: number): string | null {
  if (choice === "never") return null;
  if (choice !== "date") return new Date(nowMs + Number(choice) * dayMs).toISOString();
  return new Date(`${day}T23:59:59`).toISOString();
}
