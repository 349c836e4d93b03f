import { useQueries, useQuery } from "@tanstack/react-query";
import { workflowNamesQuery } from "../../api/queries/activity.ts";
import { overviewQuery } from "../../api/queries/overview.ts";
import { navigationQuery } from "../../api/queries/session.ts";
import { teamsQuery } from "../../api/queries/teams.ts";
import { useCaller } from "../../hooks/use-caller.ts";
import { paths } from "../../paths.ts";
import { shortId } from "../run-words.ts";
import type { PaletteEntry } from "./palette-entries.ts";

/** Workflows are asked for team by team, so of no more than these; the one that is looked at first. */
const mostTeams = 10;

/** Everything that somebody can jump to from where he is. @param team the one that is looked at */
export function usePaletteEntries(team: string | undefined): PaletteEntry[] {
  const caller = useCaller();
  const places = useQuery(navigationQuery(team)).data ?? [];
  const overview = useQuery({ ...overviewQuery, refetchInterval: false }).data;
  const teams = useQuery(teamsQuery()).data?.content ?? [];
  const names = [...new Set([...(team === undefined ? [] : [team]), ...caller.teams.map(({ name }) => name)])].slice(0, mostTeams);
  const workflows = useQueries({ queries: names.map((name) => workflowNamesQuery(name)) });
  const links = places.flatMap((place) => [place, ...(place.childLinks ?? [])]).filter(({ link, disabled }) => link && !disabled);
  return [
    ...links.map(({ name = "", link = "" }) => place(name, link, link.startsWith(`/${team}/`) ? team : undefined)),
    ...(team === undefined ? [] : [place("Create a workflow", paths.workflowCreate(team), team)]),
    place("Create a team", `${paths.home()}?create=true`),
    place("Profile and sessions", paths.profile()),
    ...workflows.flatMap(({ data = [] }, index) =>
      data.map(({ name, displayName }) => {
        const of = names[index] ?? "";
        return { kind: "Workflows" as const, label: displayName, detail: of, to: paths.workflow(of, name) };
      }),
    ),
    ...(overview?.runs ?? []).map((run) => ({
      kind: "Runs" as const,
      label: `${run.workflowDisplayName || run.workflowName} ${shortId(run.id)}`,
      detail: `${run.status} · ${run.teamName}`,
      to: paths.run(run.teamName, run.id),
    })),
    ...teams.map(({ name, displayName }) => ({
      kind: "Teams" as const,
      label: displayName || name,
      detail: name,
      to: paths.workflows(name),
    })),
  ];
}

const place = (label: string, to: string, detail?: string): PaletteEntry => ({
  kind: "Places",
  label,
  to,
  ...(detail !== undefined && { detail }),
});
