import { Text } from "@mantine/core";
import type { Run } from "../../api/queries/activity.ts";
import { RunDuration } from "../../components/run-duration.tsx";
import { initiatorText, shortId, triggerWords } from "../../components/run-words.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/activity.ts";
import { StatusMark } from "../../ui/mark/status-mark.tsx";
import { WarningMark } from "../../ui/state/notice.tsx";
import { type Column, DataTable } from "../../ui/table/data-table.tsx";
import { RowLink } from "../../ui/table/scroll-box.tsx";
import type { Selection } from "../../ui/table/use-selection.ts";
import { durationText } from "../../ui/time/time-format.ts";
import { TimeText } from "../../ui/time/time-text.tsx";
import classes from "./activity.module.css";

interface RunsTableProps {
  team: string;
  runs: readonly Run[];
  selection: Selection<Run>;
}

/** One row a run; its name leads to it. */
export function RunsTable({ team, runs, selection }: RunsTableProps) {
  return (
    <DataTable
      label={t("runsTable.runs")}
      minWidth={1040}
      columns={runColumns(team)}
      rows={runs}
      keyOf={({ id }) => id}
      selection={{
        ...selection,
        allLabel: t("runsTable.selectAllRunsPage"),
        labelOf: (run) => t("runsTable.selectRun", { shortId: shortId(run.id), name: nameOf(run) }),
      }}
    />
  );
}

function nameOf({ workflowDisplayName, workflowName, workflowRef }: Run): string {
  return workflowDisplayName || workflowName || workflowRef;
}

function runColumns(team: string): Column<Run>[] {
  return [
    { title: t("runsTable.status"), kind: "short", width: 168, cell: statusOf },
    { title: t("runsTable.run"), cell: (run) => <RunName team={team} run={run} /> },
    { title: t("runsTable.started"), width: 176, cell: (run) => <StartedBy run={run} /> },
    { title: t("runsTable.created"), width: 120, cell: ({ creationDate }) => <TimeText at={creationDate} /> },
    { title: t("runsTable.duration"), kind: "number", width: 112, cell: (run) => <RunDuration run={run} /> },
    {
      title: t("runsTable.queued"),
      kind: "number",
      width: 96,
      cell: ({ queued }) => (queued === undefined ? <span className="quiet">–</span> : durationText(queued)),
    },
    { title: t("runsTable.labels"), cell: ({ labels }) => <Labels labels={labels} /> },
  ];
}

const statusOf = ({ status, phase, waitKinds }: Run) => <StatusMark status={status} phase={phase} waitKinds={waitKinds} />;

function RunName({ team, run }: { team: string; run: Run }) {
  const why = run.waitingFor ?? run.statusMessage;
  return (
    <>
      <RowLink to={paths.run(team, run.id)}>
        {nameOf(run)} <span className={classes.id}>{shortId(run.id)}</span>
      </RowLink>{" "}
      <WarningMark count={run.warningCount} />
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
      {by !== triggerWords[run.trigger] && <span className="quiet"> · {triggerWords[run.trigger]}</span>}
    </>
  );
}

function Labels({ labels }: { labels: Readonly<Record<string, string>> }) {
  // What the product itself writes is told elsewhere in the row and on the run's page.
  const own = Object.entries(labels).filter(([key]) => !key.startsWith("millrace.dev/"));
  return own.map(([key, value]) => (
    <span key={key} className={classes.label}>
      {key}={value}
    </span>
  ));
}
