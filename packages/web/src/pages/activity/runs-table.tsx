import { Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconMessage } from "@tabler/icons-react";
import type { Run } from "../../api/queries/run/activity.ts";
import { RunDuration } from "../../components/run-duration.tsx";
import { initiatorText, shortId, startWord } from "../../components/run-words.ts";
import { paths } from "../../paths.ts";
import { sentenceOf } from "../../texts/language.ts";
import { t } from "../../texts/run/activity.ts";
import { StatusMark } from "../../ui/mark/status-mark.tsx";
import { WarningMark } from "../../ui/state/notice.tsx";
import { type Column, DataTable, type Sorting } from "../../ui/table/data-table.tsx";
import { RowLink } from "../../ui/table/scroll-box.tsx";
import type { Selection } from "../../ui/table/use-selection.ts";
import { durationText } from "../../ui/time/time-format.ts";
import { TimeText } from "../../ui/time/time-text.tsx";
import classes from "./activity.module.css";
import { foundValues } from "./found-values.ts";

interface RunsTableProps {
  team: string;
  runs: readonly Run[];
  /** Left out: nothing is done with many at once. */
  selection?: Selection<Run>;
  /** The page has the name of their workflow already. */
  isOfOne?: boolean;
  /** Which of the columns that can be chosen; left out: the usual ones. */
  columns?: readonly string[];
  /** The search that found the runs, if any. */
  search?: string;
  /** When left out, the table can't be sorted. */
  sorting?: Sorting;
}

/** One row a run; its name leads to it. */
export function RunsTable({ team, runs, selection, isOfOne = false, columns: chosen, search = "", sorting }: RunsTableProps) {
  const usual = useUsualColumns();
  const columns = chosen ?? usual;
  const all = runColumns(team, search, isOfOne);
  const shown = all.filter(({ key }) => key === "run" || columns.includes(key));
  return (
    <DataTable
      label={t("runsTable.runs")}
      minWidth={shown.reduce((sum, { key, width = 200 }) => sum + (key === "run" ? leastName : width), 0)}
      columns={shown}
      rows={runs}
      keyOf={({ id }) => id}
      {...(sorting && { sorting })}
      {...(selection && {
        selection: {
          ...selection,
          allLabel: t("runsTable.selectAllRunsPage"),
          labelOf: (run: Run) => t("runsTable.selectRun", { shortId: shortId(run.id), name: nameOf(run) }),
        },
      })}
    />
  );
}

function nameOf({ workflowDisplayName, workflowName, workflowRef }: Run): string {
  return workflowDisplayName || workflowName || workflowRef;
}

/** Pixels, for the name of a run. */
const leastName = 280;

interface RunColumn extends Column<Run> {
  key: string;
}

const none = <span className="quiet">–</span>;

function runColumns(team: string, search: string, isOfOne = false): RunColumn[] {
  const nameCell = (run: Run) => <RunName {...{ team, run, search, isOfOne }} />;
  return [
    { key: "status", title: t("runsTable.status"), kind: "short", width: 168, sortBy: "status", cell: statusOf },
    { key: "run", title: t("runsTable.run"), sortBy: "workflow", isTitle: true, isBreakable: true, cell: nameCell },
    { key: "parameters", title: t("runsTable.parameters"), cell: ({ params }) => <Values values={params} /> },
    { key: "results", title: t("runsTable.results"), cell: ({ results }) => <Values values={results} /> },
    { key: "started", title: t("runsTable.started"), width: 192, cell: (run) => <StartedBy run={run} /> },
    {
      key: "created",
      title: t("runsTable.created"),
      width: 104,
      sortBy: "creationDate",
      sortsDownFirst: true,
      cell: ({ creationDate }) => <TimeText at={creationDate} />,
    },
    {
      key: "duration",
      title: t("runsTable.duration"),
      kind: "number",
      width: 96,
      sortBy: "duration",
      sortsDownFirst: true,
      cell: (run) => <RunDuration run={run} />,
    },
    {
      key: "queued",
      title: t("runsTable.queued"),
      kind: "number",
      width: 80,
      cell: ({ queued }) => (queued === undefined ? none : durationText(queued)),
    },
    { key: "version", title: t("runsTable.version"), kind: "number", width: 80, cell: ({ workflowVersion }) => workflowVersion },
    { key: "labels", title: t("runsTable.labels"), width: 144, cell: ({ labels }) => <Labels labels={labels} /> },
  ];
}

/** The optional columns. The name of the run is always shown. */
export const columnChoices = runColumns("", "").flatMap(({ key, title }) => (key === "run" ? [] : [{ value: key, label: title }]));
export const usualColumns: readonly string[] = ["status", "started", "created", "duration", "queued", "labels"];
/** What has room on a tablet: how it went, when, and how long it took. */
const fewColumns: readonly string[] = ["status", "created", "duration"];

/** The columns of those who have chosen none. A phone has cards, with a line for each. */
export function useUsualColumns(): readonly string[] {
  const isTablet = useMediaQuery("(min-width: 40.01em) and (max-width: 62em)", false, { getInitialValueInEffect: false });
  return isTablet ? fewColumns : usualColumns;
}

function statusOf({ status, phase, waitKinds }: Run) {
  return <StatusMark status={status} phase={phase} waitKinds={waitKinds} />;
}

interface RunNameProps {
  team: string;
  run: Run;
  search: string;
  isOfOne: boolean;
}

function RunName({ team, run, search, isOfOne }: RunNameProps) {
  const found = foundValues(run.params, search);
  const why = sentenceOf(run.waitingFor ?? run.statusMessage ?? "");
  return (
    <>
      <RowLink to={paths.run(team, run.id)}>
        {!isOfOne && `${nameOf(run)} `}
        <span className={classes.id}>{shortId(run.id)}</span>
      </RowLink>{" "}
      <WarningMark count={run.warningCount} />
      {run.acknowledgement && <span className={classes.label}>{t("runsTable.acknowledged", { name: run.acknowledgement.byName })}</span>}
      {run.commentCount !== undefined && (
        <span className={`${classes.comments} quiet`} title={t("runsTable.comments", { count: run.commentCount })}>
          <IconMessage size={14} aria-hidden /> {run.commentCount}
          <span className="only-heard"> {t("runsTable.comments", { count: run.commentCount })}</span>
        </span>
      )}
      {found.length > 0 && <Values values={found} />}
      {why && (
        <Text size="xs" className="quiet" lineClamp={1} title={why}>
          {why}
        </Text>
      )}
    </>
  );
}

function StartedBy({ run }: { run: Run }) {
  const by = initiatorText(run);
  return (
    <>
      {by}
      {by !== startWord(run) && <span className="quiet"> · {startWord(run)}</span>}
    </>
  );
}

/** The first few values, shortened; the run's page shows all of them. */
function Values({ values }: { values: Run["params"] | Run["results"] }) {
  if (values.length === 0) return none;
  const text = (value: unknown) => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
  const whole = values.map((one) => `${one.name}=${text(one.value)}`).join("\n");
  return (
    <Text size="xs" lineClamp={2} title={whole.slice(0, 1_000)} style={{ overflowWrap: "anywhere" }}>
      {values.slice(0, 3).map((one) => (
        <span key={one.name} className={classes.value}>
          <span className="quiet">{one.name}</span> {text(one.value).slice(0, 80)}{" "}
        </span>
      ))}
    </Text>
  );
}

function Labels({ labels }: { labels: Readonly<Record<string, string>> }) {
  // Labels that Millrace itself sets are shown elsewhere in the row and on the run's page.
  const own = Object.entries(labels).filter(([key]) => !key.startsWith("millrace.dev/"));
  return own.map(([key, value]) => (
    <span key={key} className={classes.label} title={`${key}=${value}`}>
      {key}={value}
    </span>
  ));
}
