import type { SearchHit } from "../../api/queries/search.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/frame.ts";
import type { PaletteEntry } from "./palette-entries.ts";

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

const everywhere: Readonly<Record<string, string>> = { task: t("hitEntry.allTeams"), template: t("hitEntry.allTeams") };
