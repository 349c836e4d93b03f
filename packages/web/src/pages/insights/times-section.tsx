import { Text } from "@mantine/core";
import { timeKinds } from "@millrace/contract/run/time-kinds.ts";
import { useQuery } from "@tanstack/react-query";
import { type InsightFilter, type Times, teamTimesQuery } from "../../api/queries/run/insights.ts";
import { TimeStrip } from "../../components/time-strip.tsx";
import { paths } from "../../paths.ts";
import { t } from "../../texts/run/insights.ts";
import { numberText, percentText } from "../../ui/format.ts";
import { QueryView } from "../../ui/state/not-loaded.tsx";
import { type Column, DataTable } from "../../ui/table/data-table.tsx";
import { RowLink } from "../../ui/table/scroll-box.tsx";
import { durationText } from "../../ui/time/time-format.ts";
import { TimeText } from "../../ui/time/time-text.tsx";
import classes from "./insights.module.css";

type OfWorkflow = Times["workflows"][number];
type OfTask = Times["tasks"][number];

/** What kept workers busy, and what tasks waited for. */
export function TimesSection({ team, filter }: { team: string; filter: InsightFilter }) {
  const query = useQuery(teamTimesQuery(team, filter));
  return (
    <QueryView query={query} label={t("times.loading")} rows={4}>
      {(data) => (
        <div className={classes.grid}>
          <Waits team={team} data={data} />
          <Costs team={team} data={data} />
        </div>
      )}
    </QueryView>
  );
}

function Waits({ team, data }: { team: string; data: Times }) {
  const columns: Column<OfWorkflow>[] = [
    { title: t("times.workflow"), kind: "name", cell: (row) => <WorkflowName team={team} of={row} /> },
    { title: t("times.worker"), kind: "number", cell: ({ worker }) => lengthText(worker) },
    { title: t("times.queue"), kind: "number", cell: ({ queue }) => lengthText(queue) },
    { title: t("times.person"), kind: "number", cell: ({ person }) => lengthText(person) },
    { title: t("times.other"), kind: "number", cell: (row) => lengthText(otherWaits(row)) },
  ];
  return (
    <section className={classes.frame} aria-labelledby="times">
      <h2 id="times" className={classes.title}>
        {t("times.title")}
      </h2>
      <p className={`quiet ${classes.detail}`}>
        {t("times.detail")} {data.countedUntil && t.rich("times.counted", { time: () => <TimeText at={data.countedUntil!} /> })}
      </p>
      {data.workflows.length > 0 && <TimeStrip times={data.total} />}
      <DataTable
        label={t("times.title")}
        isBare
        rows={data.workflows}
        keyOf={({ workflowRef }) => workflowRef}
        columns={columns}
        empty={<Nothing text={t("times.none")} />}
      />
    </section>
  );
}

function Costs({ team, data }: { team: string; data: Times }) {
  const columns: Column<OfTask>[] = [
    { title: t("times.task"), kind: "name", cell: ({ task }) => task || t("times.otherTasks") },
    { title: t("times.workflow"), cell: (row) => <WorkflowName team={team} of={row} /> },
    { title: t("times.taskRuns"), kind: "number", cell: ({ taskRuns }) => numberText(taskRuns) },
    { title: t("times.worker"), kind: "number", cell: ({ worker }) => lengthText(worker) },
    { title: t("times.share"), kind: "number", cell: ({ worker }) => percentText(worker / data.total.worker) },
  ];
  return (
    <section className={classes.frame} aria-labelledby="costs">
      <h2 id="costs" className={classes.title}>
        {t("times.costTitle")}
      </h2>
      <p className={`quiet ${classes.detail}`}>{t("times.costDetail")}</p>
      <DataTable
        label={t("times.costTitle")}
        isBare
        rows={data.tasks}
        keyOf={({ workflowRef, task }) => `${workflowRef} ${task}`}
        columns={columns}
        empty={<Nothing text={t("times.noCost")} />}
      />
    </section>
  );
}

function Nothing({ text }: { text: string }) {
  return (
    <Text size="sm" className="quiet" py="md">
      {text}
    </Text>
  );
}

function WorkflowName({
  team,
  of,
}: {
  team: string;
  of: Pick<OfWorkflow, "workflowName" | "workflowDisplayName" | "workflowRef" | "isDeleted">;
}) {
  const name = of.workflowDisplayName || of.workflowName || of.workflowRef;
  if (of.isDeleted || of.workflowName === undefined)
    return (
      <>
        {name} <span className="quiet">{t("times.deleted")}</span>
      </>
    );
  return <RowLink to={paths.workflow(team, of.workflowName)}>{name}</RowLink>;
}

const lengthText = (ms: number) => (ms === 0 ? "–" : durationText(ms));

function otherWaits(row: OfWorkflow): number {
  const all = timeKinds.reduce((sum, kind) => sum + row[kind], 0);
  return all - row.worker - row.queue - row.person;
}
