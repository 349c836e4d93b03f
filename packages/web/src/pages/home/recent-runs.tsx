import { Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Overview } from "../../api/queries/overview.ts";
import { RunDuration } from "../../components/run-duration.tsx";
import { shortId } from "../../components/run-words.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/home.ts";
import { StatusMark } from "../../ui/mark/status-mark.tsx";
import { type Column, DataTable } from "../../ui/table/data-table.tsx";
import { RowLink } from "../../ui/table/row-link.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";
import classes from "./home.module.css";

type OverviewRun = Overview["runs"][number];

/** What ran lately in all of somebody's teams. */
export function RecentRuns({ runs }: { runs: Overview["runs"] }) {
  return (
    <section aria-label={t("recentRuns.recentRuns")}>
      <Title order={2}>{t("recentRuns.recentRuns")}</Title>
      <DataTable
        label={t("recentRuns.recentRuns")}
        isBare
        minWidth={600}
        columns={columns}
        rows={runs}
        keyOf={({ id }) => id}
        empty={
          <Text size="sm" className="quiet">
            {t("recentRuns.noRunsYet")}
          </Text>
        }
      />
    </section>
  );
}

const columns: Column<OverviewRun>[] = [
  {
    title: t("recentRuns.status"),
    kind: "short",
    width: 120,
    cell: ({ status, phase }) => <StatusMark status={status} phase={phase} />,
  },
  {
    title: t("recentRuns.run"),
    cell: ({ id, teamName, workflowDisplayName, workflowName }) => (
      <RowLink to={paths.run(teamName, id)}>
        {workflowDisplayName || workflowName} <span className={classes.id}>{shortId(id)}</span>
      </RowLink>
    ),
  },
  {
    title: t("recentRuns.team"),
    width: 128,
    cell: ({ teamName, teamDisplayName }) => (
      <Link to={paths.activity(teamName)} className={classes.count}>
        {teamDisplayName || teamName}
      </Link>
    ),
  },
  { title: t("recentRuns.created"), width: 96, cell: ({ creationDate }) => <TimeText at={creationDate} /> },
  { title: t("recentRuns.duration"), kind: "number", width: 80, cell: (run) => <RunDuration run={run} /> },
];
