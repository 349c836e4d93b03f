import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { overviewQuery } from "../../api/queries/overview.ts";
import { searchQuery } from "../../api/queries/search.ts";
import { navigationQuery } from "../../api/queries/session.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/frame.ts";
import { shortId } from "../run-words.ts";
import { placeWords } from "../shell/place-words.ts";
import { hitEntry } from "./hit-entry.ts";
import { findEntries, type PaletteEntry } from "./palette-entries.ts";

const pauseMs = 120;

interface PaletteEntries {
  entries: PaletteEntry[];
  /** The service has not answered yet to what is typed. */
  isSearching: boolean;
  /** Why it did not. */
  error: Error | null;
}

/** What somebody can jump to: places and late runs that the page knows, and by one question to the service everything else. */
export function usePaletteEntries(team: string | undefined, typed: string): PaletteEntries {
  const asked = typed.trim().slice(0, 200);
  const [search] = useDebouncedValue(asked, pauseMs);
  const { data: hits = [], isFetching, isPlaceholderData, error } = useQuery(searchQuery(search));
  const own = useOwnEntries(team);
  return {
    entries: findEntries([...own, ...hits.map(hitEntry)], typed),
    isSearching: search !== asked || (isFetching && (isPlaceholderData || hits.length === 0)),
    error,
  };
}

function useOwnEntries(team: string | undefined): PaletteEntry[] {
  const places = useQuery(navigationQuery(team)).data ?? [];
  const runs = useQuery(overviewQuery).data?.runs ?? [];
  const links = places.flatMap((place) => [place, ...(place.childLinks ?? [])]).filter(({ link, disabled }) => link && !disabled);
  return [
    ...links.map(({ name = "", link = "" }) => place(placeWords(name), link, link.startsWith(`/${team}/`) ? team : undefined)),
    ...(team === undefined ? [] : [place(t("paletteEntries.createWorkflow"), paths.workflowCreate(team), team)]),
    place(t("paletteEntries.createTeam"), `${paths.home()}?create=true`),
    place(t("paletteEntries.profileSessions"), paths.profile()),
    ...runs.map((run) => ({
      kind: "Runs" as const,
      label: `${run.workflowDisplayName || run.workflowName} ${shortId(run.id)}`,
      detail: `${run.status} · ${run.teamDisplayName || run.teamName}`,
      to: paths.run(run.teamName, run.id),
    })),
  ];
}

const place = (label: string, to: string, detail?: string): PaletteEntry => ({
  kind: "Places",
  label,
  to,
  ...(detail !== undefined && { detail }),
});
