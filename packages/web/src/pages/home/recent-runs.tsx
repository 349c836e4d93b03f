import { Table, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Overview } from "../../api/queries/overview.ts";
import { RunDuration } from "../../components/run-duration.tsx";
import { shortId } from "../../components/run-words.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/home.ts";
import { StatusMark } from "../../ui/mark/status-mark.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";
import classes from "./home.module.css";

/** What ran lately in all of somebody's teams. */
export function RecentRuns({ runs }: { runs: Overview["runs"] }) {
  return (
    <section aria-label={t("recentRuns.recentRuns")}>
      <Title order={2}>{t("recentRuns.recentRuns")}</Title>
      {runs.length === 0 ? (
        <Text size="sm" className="quiet">
          {t("recentRuns.noRunsYet")}
        </Text>
      ) : (
        <Table.ScrollContainer
          minWidth={600}
          scrollAreaProps={{ viewportProps: { tabIndex: 0, "aria-label": t("recentRuns.recentRuns") } }}
        >
          <Table highlightOnHover verticalSpacing={6} horizontalSpacing="xs" className={classes.table}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th w={120}>{t("recentRuns.status")}</Table.Th>
                <Table.Th>{t("recentRuns.run")}</Table.Th>
                <Table.Th w={128}>{t("recentRuns.team")}</Table.Th>
                <Table.Th w={96}>{t("recentRuns.created")}</Table.Th>
                <Table.Th w={80} className={classes.figure}>
                  {t("recentRuns.duration")}
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {runs.map((run) => (
                <Table.Tr key={run.id}>
                  <Table.Td>
                    <StatusMark status={run.status} phase={run.phase} />
                  </Table.Td>
                  <Table.Td>
                    <Link to={paths.run(run.teamName, run.id)} className={classes.name}>
                      {run.workflowDisplayName || run.workflowName} <span className={classes.id}>{shortId(run.id)}</span>
                    </Link>
                  </Table.Td>
                  <Table.Td>
                    <Link to={paths.activity(run.teamName)} className={classes.count}>
                      {run.teamDisplayName || run.teamName}
                    </Link>
                  </Table.Td>
                  <Table.Td>
                    <TimeText at={run.creationDate} />
                  </Table.Td>
                  <Table.Td className={classes.figure}>
                    <RunDuration run={run} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </section>
  );
}
