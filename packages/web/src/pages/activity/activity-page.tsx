import { Button, Modal, Stack, Text, UnstyledButton } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { RunSort } from "@millrace/contract/run/run-sort.ts";
import { type Status, statuses, waitKinds } from "@millrace/contract/status.ts";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { activityCountsQuery, activityQuery, type Run, type RunsFilter, type RunsPage } from "../../api/queries/run/activity.ts";
import { runViewsQuery } from "../../api/queries/run/run-views.ts";
import { ListKeysHelp, useListKeys } from "../../components/keys/list-keys.tsx";
import { keepRunList } from "../../hooks/run-list.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { useTeam } from "../../hooks/use-team.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/run/activity.ts";
import { CopyField } from "../../ui/copy-field.tsx";
import { numberText } from "../../ui/format.ts";
import { ListPage } from "../../ui/list/list-page.tsx";
import { focusFilter } from "../../ui/list/search-field.tsx";
import { StatusMark } from "../../ui/mark/status-mark.tsx";
import { NotLoaded } from "../../ui/state/not-loaded.tsx";
import { EmptyState } from "../../ui/state/notice.tsx";
import { everyRow, useSelection } from "../../ui/table/use-selection.ts";
import classes from "./activity.module.css";
import {
  type ActivityState,
  filterWordsOf,
  isFiltered,
  noFilter,
  noState,
  pageSizes,
  tidyState,
  toCurl,
  toRunsFilter,
} from "./activity-filter.ts";
import { BulkOperations } from "./bulk/bulk-operations.tsx";
import { BulkBar, keyOfFilter } from "./bulk-bar.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { useFilterNames, useGoneWorkflows } from "./filter-names.ts";
import { IndexNote } from "./index-note.tsx";
import { ChartToggle, ColumnChoice, useChartShown, useColumns } from "./list-tools.tsx";
import { RunScatter } from "./run-scatter.tsx";
import { RunsTable } from "./runs-table.tsx";
import { SavedViews } from "./views/saved-views.tsx";
import { allRuns, isBare } from "./views/view-state.ts";

/** The statuses that are shown even if no run has them. */
const always: readonly Status[] = ["running", "waiting", "succeeded", "failed"];

interface StatusCountsProps {
  team: string;
  filter: RunsFilter;
  onChange: (statuses: string[]) => void;
}

/**
 * The number of runs in each status. A click filters by that status; several can be selected at once. They appear with their numbers, which
 * would otherwise move those behind them.
 */
function StatusCounts({ team, filter, onChange }: StatusCountsProps) {
  const { data, isPending } = useQuery(activityCountsQuery(team, filter));
  const chosen = filter.statuses ?? [];
  // The service ignores triggers and phases when it counts, so with those filters the numbers wouldn't match the table.
  const counts = filter.phase === undefined && filter.triggers === undefined ? data?.status : undefined;
  const shown = statuses.filter((status) => always.includes(status) || chosen.includes(status) || (data?.status[status] ?? 0) > 0);
  const toggle = (status: Status) => onChange(chosen.includes(status) ? chosen.filter((one) => one !== status) : [...chosen, status]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div className={classes.counts} data-pending={isPending || undefined} role="group" aria-label={t("statusCounts.status")}>
      <UnstyledButton className={classes.count} aria-pressed={chosen.length === 0} onClick={() => onChange([])}>
        {t.rich("statusCounts.all", { count: () => <Count count={counts?.["all"]} /> })}
      </UnstyledButton>
      {shown.map((status) => (
        <UnstyledButton key={status} className={classes.count} aria-pressed={chosen.includes(status)} onClick={() => toggle(status)}>
          <StatusMark status={status} /> <Count count={counts?.[status]} />
        </UnstyledButton>
      ))}
      <WaitCounts waits={data?.waits} />
    </div>
  );
}

/** Of the running runs, those in which no task is currently running, by what they wait for. */
function WaitCounts({ waits }: { waits: Readonly<Record<string, number>> | undefined }) {
  const words = waitKinds.flatMap((kind) => (waits?.[kind] ? [t(`waitCounts.${kind}`, { count: waits[kind] })] : []));
  return words.length > 0 && <span className={classes.waits}>{t("waitCounts.waiting", { waits: words.join(", ") })}</span>;
}

function Count({ count }: { count: number | undefined }) {
  return count === undefined ? null : <span className={classes.number}>{numberText(count)}</span>;
}

const searchAgainMs = 4_000;

/** The runs of the current page. A run that is opened from here links to its neighbours in this list. */
function useRunPage(team: string, filter: RunsFilter, { page, size, sort, desc }: ActivityState) {
  const asked: RunsPage = { page, limit: size, order: desc ? "DESC" : "ASC", sortBy: sort as RunSort };
  const query = useQuery({
    ...activityQuery(team, filter, asked),
    // The search index is a few seconds behind the runs, and no notification is sent when it has caught up with a change.
    refetchInterval: filter.search === undefined ? false : searchAgainMs,
  });
  const { data, isPlaceholderData } = query;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when other runs are shown
  useEffect(() => {
    if (data && !isPlaceholderData) keepRunList({ team, filter, page: asked, ids: data.content.map(({ id }) => id) });
  }, [team, data, isPlaceholderData]);
  return query;
}

/** The runs of a team: filtered by the search and filters in the URL, updated live, cancelled and retried in bulk. */
export function ActivityPage() {
  const team = useTeam();
  const [search, setState] = useSearchState<ActivityState>(noState);
  const state = tidyState(search);
  const filter = toRunsFilter(state);
  const query = useRunPage(team, filter, state);
  const { data, isPlaceholderData } = query;
  const selection = useSelection<Run>();
  const list = useRef<HTMLDivElement>(null);
  const runs = data?.content ?? [];
  const shown = selection.allOf === keyOfFilter(filter) ? everyRow(selection, runs) : selection;
  useListKeys(list, {
    onSelect: (id) => runs.filter((run) => run.id === id).forEach(shown.toggle),
  });
  const hasDefault = useQuery(runViewsQuery(team)).data?.some(({ isDefault }) => isDefault) === true;
  // With a default view, an address that says nothing leads to that view: who clears the filters wants to see all runs.
  const change = (next: Partial<ActivityState>) =>
    setState({ page: 0, ...next, ...(hasDefault && isBare({ ...state, ...next }) && { saved: allRuns.saved }) });
  const [columns, setColumns] = useColumns(state.columns, (chosen) => setState({ columns: chosen }));
  const [hasChart, setChart] = useChartShown();
  const nameOf = useFilterNames(team, state);
  return (
    <ListPage
      title={t("activityPage.activity")}
      detail={t("activityPage.allRunsTeam")}
      actions={
        <>
          <ListKeysHelp />
          <OperationsButton team={team} />
          <CurlButton team={team} filter={filter} />
        </>
      }
      bar={
        <>
          <FilterBar team={team} state={state} onChange={change}>
            <SavedViews {...{ team, state, columns }} onOpen={(next, options = { replace: false }) => setState(next, options)} />
            <ChartToggle isOn={hasChart} onChange={setChart} />
            <ColumnChoice columns={columns} onChange={setColumns} />
          </FilterBar>
          <StatusCounts team={team} filter={filter} onChange={(statuses) => change({ statuses })} />
          {hasChart && data?.totalElements !== 0 && (
            <RunScatter team={team} filter={filter} total={data?.totalElements} onRange={(range) => change({ span: "custom", ...range })} />
          )}
          <IndexNote search={data?.search} sortedFrom={data?.sortedRuns?.fromDate} />
          <BulkBar
            {...{ team, selection, filter }}
            filterWords={filterWordsOf(state, nameOf)}
            total={data?.totalElements}
            isMinimum={data?.search?.totalIsMinimum ?? false}
          />
        </>
      }
      pages={
        data && {
          page: data.number,
          size: state.size,
          total: data.sortedRuns?.count ?? data.totalElements,
          isMinimum: data.sortedRuns === undefined && (data.search?.totalIsMinimum ?? false),
          sizes: pageSizes,
          onSize: (size) => change({ size }),
          onChange: (page) => setState({ page }, { replace: false }),
        }
      }
    >
      <div ref={list} className={classes.list} data-old={isPlaceholderData || undefined}>
        <NotLoaded query={query} label={t("activityPage.loadingRuns")} rows={10} />
        {data?.empty === true && <NoRuns team={team} state={state} onChange={change} />}
        {runs.length > 0 && (
          <RunsTable
            {...{ team, runs, columns, search: filter.search ?? "" }}
            selection={shown}
            sorting={{ by: state.sort, isDescending: state.desc, onSort: (sort, desc) => change({ sort, desc }) }}
          />
        )}
      </div>
      {data?.empty === true && data.totalElements > 0 && (
        <Button variant="default" onClick={() => setState({ page: 0 })}>
          {t("activityPage.backFirstPage")}
        </Button>
      )}
    </ListPage>
  );
}

/** Opens the list of bulk operations. */
function OperationsButton({ team }: { team: string }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        {t("activityPage.bulkOperations")}
      </Button>
      {isOpen && <BulkOperations team={team} onClose={close} />}
    </>
  );
}

/** Shows the filter as an API call, for scripts. */
function CurlButton({ team, filter }: { team: string; filter: RunsFilter }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        {t("curlButton.showCurlCommand")}
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={t("curlButton.sameListApi")}
        size="lg"
        closeButtonProps={{ "aria-label": t("curlButton.close") }}
      >
        <Stack gap="sm">
          <Text>
            {t.rich("curlButton.returnsTheseRunsJson", { code: () => <code>TOKEN</code>, code2: () => <code>workflowrun/read</code> })}
          </Text>
          {isOpen && <CopyField value={toCurl(window.location.origin, team, filter, Date.now())} label={t("curlButton.command")} />}
        </Stack>
      </Modal>
    </>
  );
}

interface NoRunsProps {
  team: string;
  state: ActivityState;
  onChange: (change: Partial<ActivityState>) => void;
}

/** No runs match, or the team has no runs yet. Offers the next step for each case. */
function NoRuns({ team, state, onChange }: NoRunsProps) {
  if (isFiltered(toRunsFilter(state)))
    return (
      <EmptyState title={t("noRuns.noRunsMatchThese")}>
        <GoneNote team={team} state={state} onChange={onChange} />
        <Button
          variant="default"
          onClick={() => {
            onChange(noFilter);
            focusFilter();
          }}
        >
          {t("noRuns.clearFilters")}
        </Button>
      </EmptyState>
    );
  return (
    <EmptyState title={t("noRuns.noRunsYet")}>
      <Text className="quiet">{t("noRuns.runsAppearHereWhen")}</Text>
      <Button component={Link} to={paths.workflows(team)}>
        {t("noRuns.goWorkflows")}
      </Button>
    </EmptyState>
  );
}

/** Says that a workflow of the filter is no longer there, which is why a saved view that had runs is empty. */
function GoneNote({ team, state, onChange }: NoRunsProps) {
  const deleted = useGoneWorkflows(team, state.workflows).filter(({ isArchived }) => !isArchived);
  if (deleted.length === 0) return null;
  const isGone = (name: string) => deleted.some((one) => one.name === name);
  return (
    <>
      <Text className="quiet" role="status">
        {t("noRuns.workflowsDeleted", { count: deleted.length, names: deleted.map(({ name }) => name).join(", ") })}
      </Text>
      <Button onClick={() => onChange({ workflows: state.workflows.filter((name) => !isGone(name)) })}>
        {t("noRuns.removeDeleted", { count: deleted.length })}
      </Button>
    </>
  );
}
