import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { activityQuery, type Run } from "../../api/queries/activity.ts";
import { teamQuery } from "../../api/queries/teams.ts";
import { useListKeys } from "../../components/shell/list-keys.ts";
import { ListKeysHelp } from "../../components/shell/list-keys-help.tsx";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { useTeam } from "../../hooks/use-team.ts";
import { t } from "../../texts/activity.ts";
import { ListPage } from "../../ui/list/list-page.tsx";
import { NotLoaded } from "../../ui/state/not-loaded.tsx";
import { useSelection } from "../../ui/table/use-selection.ts";
import classes from "./activity.module.css";
import { type ActivityState, isFiltered, noFilter, tidyState, toRunsFilter } from "./activity-filter.ts";
import { ActivityFilters } from "./activity-filters.tsx";
import { BulkBar } from "./bulk-bar.tsx";
import { CurlButton } from "./curl-button.tsx";
import { NoRuns } from "./no-runs.tsx";
import { RunsTable } from "./runs-table.tsx";
import { StatusCounts } from "./status-counts.tsx";

const pageSize = 25;

/** The runs of a team, newest first: found by filters that the address keeps, watched live, cancelled and retried in bulk. */
export function ActivityPage() {
  const team = useTeam();
  const [search, setState] = useSearchState<ActivityState>(noFilter);
  const state = tidyState(search);
  const filter = toRunsFilter(state);
  const query = useQuery(activityQuery(team, filter, { page: Math.max(0, Number(state.page) || 0), limit: pageSize }));
  const { data, isPlaceholderData } = query;
  const members = useQuery(teamQuery(team)).data?.members ?? [];
  const selection = useSelection<Run>();
  const list = useRef<HTMLDivElement>(null);
  const runs = data?.content ?? [];
  useListKeys(list, {
    onSelect: (id) => {
      const run = runs.find((one) => one.id === id);
      if (run !== undefined) selection.toggle(run);
    },
  });
  const change = (next: Partial<ActivityState>) => setState({ page: 0, ...next });
  return (
    <ListPage
      title={t("activityPage.activity")}
      detail={t("activityPage.allRunsTeamNewest")}
      actions={
        <>
          <ListKeysHelp />
          <CurlButton team={team} filter={filter} />
        </>
      }
      bar={
        <>
          <StatusCounts team={team} filter={filter} onChange={(statuses) => change({ statuses })} />
          <ActivityFilters team={team} state={state} members={members} onChange={change} />
          <BulkBar team={team} selection={selection} filter={filter} runs={runs} total={data?.totalElements ?? 0} />
        </>
      }
      pages={
        data && {
          page: data.number,
          size: pageSize,
          total: data.totalElements,
          onChange: (page) => setState({ page }, { replace: false }),
        }
      }
    >
      <div ref={list} className={classes.list} data-old={isPlaceholderData || undefined}>
        <NotLoaded query={query} label={t("activityPage.loadingRuns")} rows={10} />
        {data?.empty === true && <NoRuns team={team} isFiltered={isFiltered(filter)} onClear={() => setState(noFilter)} />}
        {runs.length > 0 && <RunsTable team={team} runs={runs} selection={selection} />}
      </div>
      {data?.empty === true && data.totalElements > 0 && (
        <Button variant="default" onClick={() => setState({ page: 0 })}>
          {t("activityPage.backFirstPage")}
        </Button>
      )}
    </ListPage>
  );
}
