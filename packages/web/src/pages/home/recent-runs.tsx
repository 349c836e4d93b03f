import { Table, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Overview } from "../../api/queries/overview.ts";
import { RunDuration } from "../../components/run-duration.tsx";
import { shortId } from "../../components/run-words.ts";
import { paths } from "../../paths.ts";
import { StatusMark } from "../../ui/mark/status-mark.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";
import classes from "./home.module.css";

/** What ran lately in all of somebody's teams. */
export function RecentRuns({ runs }: { runs: Overview["runs"] }) {
  return (
    <section aria-label="Recent runs">
      <Title order={2}>Recent runs</Title>
      {runs.length === 0 ? (
        <Text size="sm" className="quiet">
          No runs yet.
        </Text>
      ) : (
        <Table.ScrollContainer minWidth={600} scrollAreaProps={{ viewportProps: { tabIndex: 0, "aria-label": "Recent runs" } }}>
          <Table highlightOnHover verticalSpacing={6} horizontalSpacing="xs" className={classes.table}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th w={120}>Status</Table.Th>
                <Table.Th>Run</Table.Th>
                <Table.Th w={128}>Team</Table.Th>
                <Table.Th w={96}>Created</Table.Th>
                <Table.Th w={80} className={classes.figure}>
                  Duration
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
