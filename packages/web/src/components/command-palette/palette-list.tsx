import { Modal } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconCompass, IconPlayerPlay, IconPuzzle, IconSitemap, IconTemplate, IconUsersGroup } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { messageOf } from "../../api/api-error.ts";
import { navigationQuery } from "../../api/queries/identity/session.ts";
import { runSearchQuery } from "../../api/queries/run/activity.ts";
import { overviewQuery, searchQuery } from "../../api/queries/settings.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/frame.ts";
import { statusLook } from "../../ui/mark/status-mark.tsx";
import { shortId } from "../run-words.ts";
import { placeWords } from "../shell/places.tsx";
import classes from "./command-palette.module.css";
import { allRunsEntry, findEntries, hitEntry, type PaletteEntry, type PaletteKind, runEntry } from "./palette-entries.ts";

const pauseMs = 120;

interface PaletteEntries {
  entries: PaletteEntry[];
  /** Whether the response for the current search is pending. */
  isSearching: boolean;
  /** Why the search failed. */
  error: Error | null;
}

/** The possible destinations: pages and recent runs that the client knows, and everything else from one request to the service. */
function usePaletteEntries(team: string | undefined, typed: string): PaletteEntries {
  const asked = typed.trim().slice(0, 200);
  const [search] = useDebouncedValue(asked, pauseMs);
  const { data: hits = [], isFetching, isPlaceholderData, error } = useQuery(searchQuery(search));
  const own = useOwnEntries(team);
  const runs = useFoundRuns(team, asked, search);
  const known = new Set(runs.entries.map(({ to }) => to));
  return {
    entries: findEntries([...own.filter(({ to }) => !known.has(to)), ...hits.map(hitEntry), ...runs.entries], typed),
    isSearching: search !== asked || (isFetching && (isPlaceholderData || hits.length === 0)) || runs.isSearching,
    error,
  };
}

/** A shorter text matches too many runs. */
const shortestSearch = 2;

/** Runs of all teams that the caller may read, found by id, values, errors and labels. Results of an earlier search aren't shown. */
function useFoundRuns(team: string | undefined, asked: string, search: string): Pick<PaletteEntries, "entries" | "isSearching"> {
  const isWanted = search.length >= shortestSearch;
  const { data = [], isFetching } = useQuery({ ...runSearchQuery(search), enabled: isWanted });
  if (!isWanted || search !== asked) return { entries: [], isSearching: false };
  const hits = data.map((hit) => runEntry(hit, statusLook(hit.status, undefined, hit.waitKinds).word));
  return {
    entries:
      team === undefined || hits.length === 0
        ? hits
        : [...hits, allRunsEntry(team, search, data.find(({ teamName }) => teamName === team)?.teamDisplayName)],
    isSearching: isFetching && data.length === 0,
  };
}

function useOwnEntries(team: string | undefined): PaletteEntry[] {
  const places = useQuery(navigationQuery(team)).data ?? [];
  const runs = useQuery(overviewQuery()).data?.runs ?? [];
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

const looks: Record<PaletteKind, { icon: typeof IconSitemap; word: string; heading: string }> = {
  Places: { icon: IconCompass, word: t("paletteEntry.place"), heading: t("paletteEntry.places") },
  Workflows: { icon: IconSitemap, word: t("paletteEntry.workflow"), heading: t("paletteEntry.workflows") },
  Runs: { icon: IconPlayerPlay, word: t("paletteEntry.run"), heading: t("paletteEntry.runs") },
  Teams: { icon: IconUsersGroup, word: t("paletteEntry.team"), heading: t("paletteEntry.teams") },
  Tasks: { icon: IconPuzzle, word: t("paletteEntry.task"), heading: t("paletteEntry.tasks") },
  Templates: { icon: IconTemplate, word: t("paletteEntry.template"), heading: t("paletteEntry.templates") },
};

interface EntryProps {
  id: string;
  entry: PaletteEntry;
  /** Whether it is the first of its kind, which gets a heading. */
  isFirst: boolean;
  isChosen: boolean;
  onChoose: () => void;
}

/** A line of the palette: its kind, its name, and where it belongs. */
function Entry({ id, entry: { kind, label, detail }, isFirst, isChosen, onChoose }: EntryProps) {
  const { icon: Icon, word, heading } = looks[kind];
  return (
    <>
      {isFirst && (
        <div role="presentation" className={classes.heading}>
          {heading}
        </div>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keyboard */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the field above keeps the focus */}
      <div role="option" id={id} aria-selected={isChosen} className={classes.entry} onClick={onChoose}>
        <Icon size={16} aria-hidden className={classes.icon} />
        <span className={classes.label}>{label}</span>
        <span className={classes.detail}>{detail}</span>
        <span className={classes.kind}>{word}</span>
      </div>
    </>
  );
}

interface PaletteDialogProps {
  team: string | undefined;
  /** What was typed before the dialog was loaded. */
  typed?: string;
  onClose: () => void;
}

/** The dialog of the command palette. */
export function PaletteDialog({ team, typed = "", onClose }: PaletteDialogProps) {
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      title={t("commandPalette.searchJump")}
      classNames={{ header: "only-heard" }}
      size="lg"
      yOffset="12vh"
      padding={0}
    >
      <PaletteList team={team} early={typed} onDone={onClose} />
    </Modal>
  );
}

/** The search field and the matches. Arrow keys select a match, Enter opens it. */
function PaletteList({ team, early, onDone }: { team: string | undefined; early: string; onDone: () => void }) {
  const { typed, type, found, chosen, isSearching, error, go, onKey } = usePaletteChoice(team, early, onDone);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another entry is selected
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [chosen, typed]);
  return (
    <>
      <input
        className={classes.field}
        role="combobox"
        aria-label={t("paletteList.searchPlacesTeamsWorkflows")}
        aria-expanded
        aria-autocomplete="list"
        aria-controls={id}
        aria-activedescendant={found.length > 0 ? `${id}-${chosen}` : undefined}
        placeholder={t("paletteList.placeTeamWorkflowTaskPlaceholder")}
        autoComplete="off"
        data-autofocus
        // biome-ignore lint/a11y/noAutofocus: the palette is opened to type
        autoFocus
        value={typed}
        onKeyDown={onKey}
        onChange={(event) => type(event.currentTarget.value)}
      />
      <div id={id} ref={list} role="listbox" aria-label={t("paletteList.found")} className={classes.list}>
        {found.map((entry, index) => (
          <Entry
            key={`${entry.kind} ${entry.to} ${entry.label}`}
            id={`${id}-${index}`}
            entry={entry}
            isFirst={entry.kind !== found[index - 1]?.kind}
            isChosen={index === chosen}
            onChoose={() => go(entry)}
          />
        ))}
      </div>
      {(found.length === 0 || error !== null) && (
        <p className={classes.nothing} role="status">
          {error !== null
            ? messageOf(error)
            : isSearching
              ? t("paletteList.searching")
              : t("paletteList.noResults", { typed: typed.trim() })}
        </p>
      )}
    </>
  );
}

/** The search text, its matches, the selected match, and the keys that change the selection or open it. */
function usePaletteChoice(team: string | undefined, early: string, onDone: () => void) {
  const [typed, setTyped] = useState(early);
  const [at, setAt] = useState(0);
  const navigate = useNavigate();
  const { entries: found, isSearching, error } = usePaletteEntries(team, typed);
  const chosen = Math.min(at, Math.max(0, found.length - 1));
  const go = (entry: PaletteEntry | undefined) => {
    if (entry === undefined) return;
    onDone();
    void navigate({ href: entry.to });
  };
  // Enter was pressed before the service responded: the best match is opened as soon as the response arrives.
  const isEager = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the response arrives
  useEffect(() => {
    if (!isSearching && isEager.current) go(found[chosen]);
    isEager.current &&= isSearching;
  }, [isSearching]);
  const type = (text: string) => {
    isEager.current = false;
    setTyped(text);
    setAt(0);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") setAt(found.length === 0 ? 0 : (chosen + 1) % found.length);
    else if (event.key === "ArrowUp") setAt(found.length === 0 ? 0 : (chosen - 1 + found.length) % found.length);
    else if (event.key !== "Enter") return;
    else if (isSearching && at === 0) isEager.current = true;
    else go(found[chosen]);
    event.preventDefault();
  };
  return { typed, type, found, chosen, isSearching, error, go, onKey };
}
