import type { History, HistoryFigures } from "../../../api/queries/history.ts";

export const kindNames: Readonly<Record<HistoryFigures["kind"], { title: string; rows: string }>> = {
  runs: { title: "Runs", rows: "with tasks and actions" },
  logs: { title: "Logs", rows: "in chunks of lines" },
  deliveries: { title: "Deliveries", rows: "with their events" },
  audit: { title: "Audit records", rows: "of all teams" },
};

export function daysText(days: number): string {
  if (days === 0) return "Forever";
  return days === 1 ? "1 day" : `${days.toLocaleString("en")} days`;
}

const units = ["B", "KiB", "MiB", "GiB", "TiB"];

/** `820 B`, `4.2 MiB`, `31 GiB`. */
export function bytesText(bytes: number): string {
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** power;
  return `${power > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} ${units[power]}`;
}

/** What a removal removed, as a list of parts; empty when that was nothing. */
export function removedParts(removal: NonNullable<History["lastRemoval"]>): string[] {
  const months = new Set(removal.partitions.map((name) => name.slice(-6)));
  const count = (number: number, one: string, many: string) =>
    number === 0 ? [] : [`${number.toLocaleString("en")} ${number === 1 ? one : many}`];
  return [
    ...(months.size === 0 ? [] : [`whole months: ${[...months].sort().map(monthText).join(", ")}`]),
    ...count(removal.runs, "run", "runs"),
    ...count(removal.logChunks, "chunk of logs", "chunks of logs"),
    ...count(removal.deliveries, "delivery", "deliveries"),
    ...count(removal.events, "event", "events"),
    ...count(removal.auditRecords, "audit record", "audit records"),
  ];
}

/** `202601` is 2026-01. */
const monthText = (month: string) => `${month.slice(0, 4)}-${month.slice(4)}`;
