import type { RunHit } from "../../api/queries/run/activity.ts";
import type { SearchHit } from "../../api/queries/settings.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/frame.ts";
import { relativeTime } from "../../ui/time/time-format.ts";
import { shortId } from "../run-words.ts";

/** The kinds of entries, in the order used for equally good matches. */
export const paletteKinds = ["Places", "Workflows", "Runs", "Teams", "Tasks", "Templates"] as const;
export type PaletteKind = (typeof paletteKinds)[number];

/** A destination in the palette. */
export interface PaletteEntry {
  /** The heading under which it is listed. */
  kind: PaletteKind;
  label: string;
  /** Shown subdued, beside the label. */
  detail?: string;
  /** Further text that the search matches. */
  further?: string;
  /** Whether the service found it by something not shown here, e.g. a parameter of a run. */
  isFound?: boolean;
  to: string;
}

const mostOfKind = 8;
/** Limit for runs found by their content, which are listed after those found by name. */
const mostRuns = 12;

/**
 * The entries that contain each typed word. Kinds are ordered by their best entry, and entries within a kind by match: first where the
 * label begins with the typed text, then where one of its words does, then in their original order. Without a search, the first few entries
 * of the common kinds.
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

/** Tasks and templates are searched by name; a list of the latest ones would help nobody. */
const offered: Partial<Record<PaletteKind, number>> = { Places: 12, Workflows: 6, Runs: 6, Teams: 6 };

function firstOfEach(entries: readonly PaletteEntry[]): PaletteEntry[] {
  return paletteKinds.flatMap((kind) => entries.filter((entry) => entry.kind === kind).slice(0, offered[kind] ?? 0));
}

/** The entry for a result of the service's search. */
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

/** The entry for a run found by the service's search. @param statusWord the display text of its status */
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

/** The entry that opens the team's runs with the same search, for more results than the palette shows. @param teamName the display name */
export function allRunsEntry(team: string, typed: string, teamName = team): PaletteEntry {
  const to = `${paths.activity(team)}?q=${encodeURIComponent(JSON.stringify(typed))}`;
  return { kind: "Runs", label: t("runEntry.all", { typed }), detail: teamName, isFound: true, to };
}

const everywhere: Readonly<Record<string, string>> = { task: t("hitEntry.allTeams"), template: t("hitEntry.allTeams") };
