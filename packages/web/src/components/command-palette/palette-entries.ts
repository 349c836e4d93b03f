import type { RunHit } from "../../api/queries/run/activity.ts";
import type { SearchHit } from "../../api/queries/settings.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/frame.ts";
import { relativeTime } from "../../ui/time/time-format.ts";
import { shortId } from "../run-words.ts";

/** What an entry is; in this order where they fit equally well. */
export const paletteKinds = ["Places", "Workflows", "Runs", "Teams", "Tasks", "Templates"] as const;
export type PaletteKind = (typeof paletteKinds)[number];

/** Something that the palette leads to. */
export interface PaletteEntry {
  /** The heading below which it stands. */
  kind: PaletteKind;
  label: string;
  /** Quiet, beside it. */
  detail?: string;
  /** What it is found by besides. */
  further?: string;
  /** The service found it, by what is not shown here, such as a value of a run. */
  isFound?: boolean;
  to: string;
}

const mostOfKind = 8;
/** Those that the service found by what they hold stand behind those that are found by their names. */
const mostRuns = 12;

/**
 * Those that have each typed word somewhere, the kinds with the best entry first, and in each kind the best first: where the label
 * begins with what was typed, then where a word of it does, then as they came. Nothing typed: the first few of what people go to.
 */
export function findEntries(entries: readonly PaletteEntry[], typed: string): PaletteEntry[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const first = words[0];
  if (first === undefined) return firstOfEach(entries);
  const scored = entries.flatMap((entry) => {
    const text = `${entry.label} ${entry.detail ?? ""} ${entry.further ?? ""} ${entry.kind}`.toLowerCase();
    return entry.isFound || words.every((word) => text.includes(word)) ? [{ entry, score: entry.isFound ? 3 : score(entry, first) }] : [];
  });
  const groups = paletteKinds.map((kind) => scored.filter(({ entry }) => entry.kind === kind).sort((a, b) => a.score - b.score));
  return groups
    .filter((group) => group.length > 0)
    .sort(([a], [b]) => (a?.score ?? 0) - (b?.score ?? 0))
    .flatMap((group) => group.slice(0, group[0]?.entry.kind === "Runs" ? mostRuns : mostOfKind).map(({ entry }) => entry));
}

function score({ label, further = "" }: PaletteEntry, word: string): number {
  const names = [label, further].map((name) => name.toLowerCase());
  if (names.some((name) => name.startsWith(word))) return 0;
  if (names.some((name) => name.split(/[\s\-_.]+/).some((part) => part.startsWith(word)))) return 1;
  return names.some((name) => name.includes(word)) ? 2 : 3;
}

/** Tasks and templates are looked for by name; the newest of them tell nobody anything. */
const offered: Partial<Record<PaletteKind, number>> = { Places: 12, Workflows: 6, Runs: 6, Teams: 6 };

function firstOfEach(entries: readonly PaletteEntry[]): PaletteEntry[] {
  return paletteKinds.flatMap((kind) => entries.filter((entry) => entry.kind === kind).slice(0, offered[kind] ?? 0));
}

/** The way to what a search of the service has found. */
export function hitEntry(hit: SearchHit): PaletteEntry {
  const { kind, name, displayName, teamName, teamDisplayName, status } = hit;
  const of = teamDisplayName || teamName || "";
  const detail = [kind === "team" ? name : of || everywhere[kind], status === "inactive" && t("hitEntry.inactive")]
    .filter(Boolean)
    .join(" · ");
  const shared = { label: displayName || name, detail, further: kind === "team" ? name : `${name} ${teamName ?? ""}` };
  switch (kind) {
    case "team":
      return { ...shared, kind: "Teams", to: paths.workflows(name) };
    case "workflow":
      return { ...shared, kind: "Workflows", to: paths.workflow(teamName ?? "", name) };
    case "task":
      return { ...shared, kind: "Tasks", to: teamName === null ? paths.globalTask(name) : paths.teamTask(teamName, name) };
    case "template":
      return { ...shared, kind: "Templates", to: paths.template(name) };
  }
}

/** The way to a run that a search of the service has found, by whatever of it. @param statusWord as people read it */
export function runEntry(hit: RunHit, statusWord: string): PaletteEntry {
  const { id, workflowName, workflowDisplayName, teamName, teamDisplayName, creationDate } = hit;
  return {
    kind: "Runs",
    label: `${workflowDisplayName || workflowName} ${shortId(id)}`,
    detail: `${statusWord} · ${relativeTime(creationDate, Date.now())} · ${teamDisplayName || teamName}`,
    isFound: true,
    to: paths.run(teamName, id),
  };
}

/** The list of runs of the team with the same search, for more than the palette shows. @param teamName as people read it */
export function allRunsEntry(team: string, typed: string, teamName = team): PaletteEntry {
  const to = `${paths.activity(team)}?q=${encodeURIComponent(JSON.stringify(typed))}`;
  return { kind: "Runs", label: t("runEntry.all", { typed }), detail: teamName, isFound: true, to };
}

const everywhere: Readonly<Record<string, string>> = { task: t("hitEntry.allTeams"), template: t("hitEntry.allTeams") };
