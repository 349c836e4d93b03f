import type { History, HistoryFigures } from "../../../api/queries/settings.ts";
import { t } from "../../../texts/settings/administration.ts";
import { decimalText } from "../../../ui/format.ts";

export const kindNames: Readonly<Record<HistoryFigures["kind"], { title: string; rows: string }>> = {
  runs: { title: t("historyWords.runs"), rows: t("historyWords.tasksActions") },
  logs: { title: t("historyWords.logs"), rows: t("historyWords.chunksLines") },
  deliveries: { title: t("historyWords.deliveries"), rows: t("historyWords.theirEvents") },
  audit: { title: t("historyWords.auditRecords"), rows: t("historyWords.allTeams") },
};

export function daysText(days: number): string {
  if (days === 0) return t("historyWords.forever");
  return t("historyWords.dayDays", { days });
}

const units = ["B", "KiB", "MiB", "GiB", "TiB"];

/** `820 B`, `4.2 MiB`, `31 GiB`. */
export function bytesText(bytes: number): string {
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** power;
  return `${power > 0 && value < 10 ? decimalText(value, 1) : Math.round(value)} ${units[power]}`;
}

/** What the last removal deleted, as a list of parts; empty when it deleted nothing. */
export function removedParts(removal: NonNullable<History["lastRemoval"]>): string[] {
  const months = new Set(removal.partitions.map((name) => name.slice(-6)));
  const counted = (["runs", "logChunks", "logObjects", "deliveries", "events", "auditRecords"] as const).filter(
    (kind) => removal[kind] > 0,
  );
  return [
    ...(months.size === 0 ? [] : [t("historyWords.wholeMonths", { sort: [...months].sort().map(monthText).join(", ") })]),
    ...counted.map((kind) => t(`removedHistory.${kind}`, { count: removal[kind] })),
  ];
}

/** `202601` is 2026-01. */
const monthText = (month: string) => `${month.slice(0, 4)}-${month.slice(4)}`;
