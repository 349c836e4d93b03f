import { Button, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { type RunLogMatch, runLogSearchQuery } from "../../../api/queries/run/runs.ts";
import { useSearchState } from "../../../hooks/use-search-state.ts";
import { t } from "../../../texts/run/log.ts";
import { SearchField } from "../../../ui/list/search-field.tsx";
import { NotLoaded } from "../../../ui/state/not-loaded.tsx";
import { useRunView } from "../run-context.tsx";
import classes from "./log-search.module.css";

const enoughMatches = 50;

/** Searches the logs of all tasks of the run. Each matching line links to its place in the log. */
export function RunLogSearch() {
  const { team, run } = useRunView();
  const [{ q }, setAddress] = useSearchState({ q: "" });
  const text = String(q).trim();
  const query = useInfiniteQuery({ ...runLogSearchQuery(team, run.id, text), enabled: text !== "" });
  const matches = query.data?.pages.flatMap((page) => page.matches) ?? [];
  const { hasNextPage, isFetching, fetchNextPage } = query;
  // Each request returns after half a second at most, with or without matches. The search continues until there is something to show.
  useEffect(() => {
    if (hasNextPage && !isFetching && matches.length < enoughMatches) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage, matches.length]);
  const isDone = query.data !== undefined && !query.hasNextPage;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must be reachable by keyboard
    <section className={classes.frame} tabIndex={0} aria-label={t("runLogSearch.label")}>
      <div className={classes.tools}>
        <SearchField
          label={t("runLogSearch.search")}
          placeholder={t("runLogSearch.placeholder")}
          value={String(q)}
          onSearch={(typed) => setAddress({ q: typed })}
          width={360}
        />
        <span role="status" className="quiet">
          {query.data && t(isDone ? "runLogSearch.found" : "runLogSearch.foundSoFar", { count: matches.length })}
        </span>
      </div>
      {text === "" && <Text className="quiet">{t("runLogSearch.hint")}</Text>}
      {text !== "" && <NotLoaded query={query} label={t("runLogSearch.searching")} rows={4} />}
      <Matches matches={matches} text={text} />
      {query.hasNextPage && (
        <Button size="xs" variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t("runLogSearch.searchOn")}
        </Button>
      )}
    </section>
  );
}

function Matches({ matches, text }: { matches: readonly RunLogMatch[]; text: string }) {
  const [, setAddress] = useSearchState({ task: "", tab: "", line: 0, step: "", level: "" });
  const groups = new Map<string, RunLogMatch[]>();
  for (const match of matches) groups.set(match.taskRunRef, [...(groups.get(match.taskRunRef) ?? []), match]);
  const open = ({ taskRunRef, line }: RunLogMatch) =>
    setAddress({ task: taskRunRef, tab: "log", line, step: "", level: "" }, { replace: false });
  return [...groups].map(([taskRun, found]) => (
    <section key={taskRun} aria-label={nameOf(found[0])}>
      <h3 className={classes.task}>
        {nameOf(found[0])} <span className="quiet">{t("runLogSearch.lines", { count: found.length })}</span>
      </h3>
      <ul className={classes.lines}>
        {found.map((match) => (
          <li key={match.line}>
            <button type="button" className={classes.line} onClick={() => open(match)}>
              <span className={classes.number}>{match.line}</span> <Marked line={match.text} text={text} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  ));
}

function nameOf(match: RunLogMatch | undefined): string {
  if (match === undefined) return "";
  return match.item === undefined ? match.taskName : `${match.taskName}[${match.item}]`;
}

/** Terminal colours are left out here; the log view shows them. */
function Marked({ line, text }: { line: string; text: string }) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with it
  const plain = line.replace(/\x1b\[[0-9;?]*[A-Za-z]/g, "");
  const at = plain.toLowerCase().indexOf(text.toLowerCase());
  if (at < 0) return <span>{plain}</span>;
  return (
    <span>
      {plain.slice(Math.max(0, at - 200), at)}
      <mark>{plain.slice(at, at + text.length)}</mark>
      {plain.slice(at + text.length, at + 600)}
    </span>
  );
}
