import { Anchor, Text } from "@mantine/core";
import type { components } from "@millrace/client/schema.generated.ts";
import type { ReactNode } from "react";
import type { Insight } from "../../api/queries/run/insights.ts";
import { successText } from "../../components/success-rate.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/run/insights.ts";
import { PlaceLink } from "../../ui/page-header.tsx";
import { type Column, DataTable } from "../../ui/table/data-table.tsx";
import { durationText } from "../../ui/time/time-format.ts";
import classes from "./insights.module.css";
import { runsOf } from "./runs-search.ts";

type Group = components["schemas"]["InsightWorkflow"];

interface WorkflowTablesProps {
  data: Insight;
  team: string | undefined;
}

const most = 8;

/** The slowest and the most frequently failing workflows, among those with the most runs. Each links to the runs that were counted. */
export function WorkflowTables({ data, team }: WorkflowTablesProps) {
  const slowest = data.workflows.filter(({ p95Duration }) => p95Duration > 0).toSorted((a, b) => b.p95Duration - a.p95Duration);
  const failing = data.workflows.filter(({ failed }) => failed > 0).toSorted((a, b) => b.failed - a.failed);
  const linkOf = (group: Group, series: string, text: ReactNode) => <RunsLink {...{ data, team, group, series, text }} />;
  return (
    <>
      <GroupTable
        title={t("groupTables.slowestWorkflows")}
        groups={slowest.slice(0, most)}
        nothing={t("groupTables.noFinishedRunsPeriod")}
        columns={[t("groupTables.runs"), t("groupTables.median"), "p95", t("groupTables.expected")]}
      >
        {(group) => [
          linkOf(group, "ended", group.total),
          durationText(group.medianDuration),
          durationText(group.p95Duration),
          expectedText(group),
        ]}
      </GroupTable>
      <GroupTable
        title={t("groupTables.topFailingWorkflows")}
        groups={failing.slice(0, most)}
        nothing={t("groupTables.noFailedRunsPeriod")}
        columns={[t("groupTables.failed"), t("groupTables.runs"), t("groupTables.successRate")]}
      >
        {(group) => [
          linkOf(group, "failed", group.failed),
          linkOf(group, "", group.total),
          successText(group.succeeded, group.succeeded + group.failed),
        ]}
      </GroupTable>
    </>
  );
}

/** The expected duration set for its runs, otherwise their deadline. */
function expectedText({ expectedDuration, deadline }: Group): string {
  const most = expectedDuration ?? deadline;
  return most === undefined ? "–" : durationText(most);
}

interface GroupTableProps {
  title: string;
  groups: readonly Group[];
  nothing: string;
  columns: readonly string[];
  children: (group: Group) => ReactNode[];
}

function GroupTable({ title, groups, nothing, columns, children }: GroupTableProps) {
  const id = title.replaceAll(" ", "-");
  return (
    <section className={classes.frame} aria-labelledby={id}>
      <h2 id={id} className={classes.title}>
        {title}
      </h2>
      <p className={`quiet ${classes.detail}`}>{t("groupTables.among20Busiest")}</p>
      <DataTable
        label={title}
        isBare
        rows={groups}
        keyOf={({ workflowRef }) => workflowRef}
        columns={[
          { title: t("groupTables.workflow"), isBreakable: true, cell: (group) => <GroupName group={group} /> },
          ...columns.map((column, index): Column<Group> => ({ title: column, kind: "number", cell: (group) => children(group)[index] })),
        ]}
        empty={
          <Text size="sm" className="quiet" py="md">
            {nothing}
          </Text>
        }
      />
    </section>
  );
}

function GroupName({ group }: { group: Group }) {
  return (
    <>
      {group.workflowDisplayName || group.workflowName || group.workflowRef}
      {group.isDeleted && <span className="quiet"> {t("groupTables.deleted")}</span>}
    </>
  );
}

interface RunsLinkProps {
  data: Insight;
  /** The team of the page. On the page of the instance each group names its own. */
  team: string | undefined;
  group: Group;
  series: string;
  text: ReactNode;
}

function RunsLink({ data, team, group, series, text }: RunsLinkProps) {
  const own = team ?? data.teams?.find(({ teamRef }) => teamRef === group.teamRef)?.teamName;
  if (own === undefined) return text;
  const name = group.isDeleted ? group.workflowRef : (group.workflowName ?? group.workflowRef);
  const search = runsOf(Date.parse(data.fromDate), Date.parse(data.toDate) - 1, [name], series);
  const label = t(series === "failed" ? "groupTables.failedRunsOf" : "groupTables.runsOf", { text: String(text), name });
  return (
    <Anchor inherit component={PlaceLink} to={paths.activity(own)} search={search} aria-label={label}>
      {text}
    </Anchor>
  );
}
