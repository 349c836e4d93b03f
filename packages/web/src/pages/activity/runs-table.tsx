import { Checkbox, Table, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Run } from "../../api/queries/activity.ts";
import { RunDuration } from "../../components/run-duration.tsx";
import { initiatorText, shortId, triggerWords } from "../../components/run-words.ts";
import { paths } from "../../paths.ts";
import { StatusMark } from "../../ui/mark/status-mark.tsx";
import { WarningMark } from "../../ui/state/warning-mark.tsx";
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
  const chosen = runs.filter(({ id }) => selection.has(id)).length;
  const toggleAll = () => (chosen === runs.length ? selection.remove(runs.map(({ id }) => id)) : selection.add(runs));
  return (
    <Table.ScrollContainer minWidth={1040} scrollAreaProps={{ viewportProps: { tabIndex: 0, "aria-label": "Runs" } }}>
      <Table highlightOnHover verticalSpacing={6} horizontalSpacing="sm" className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={40}>
              <Checkbox
                size="xs"
                aria-label="Select all runs on this page"
                checked={chosen === runs.length}
                indeterminate={chosen > 0 && chosen < runs.length}
                onChange={toggleAll}
              />
            </Table.Th>
            <Table.Th w={128}>Status</Table.Th>
            <Table.Th>Run</Table.Th>
            <Table.Th w={176}>Started by</Table.Th>
            <Table.Th w={120}>Created</Table.Th>
            <Table.Th w={112} className={classes.figure}>
              Duration
            </Table.Th>
            <Table.Th w={96} className={classes.figure}>
              Queued
            </Table.Th>
            <Table.Th>Labels</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {runs.map((run) => (
            <RunRow key={run.id} team={team} run={run} selection={selection} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function RunRow({ team, run, selection }: { team: string; run: Run; selection: Selection<Run> }) {
  const name = run.workflowDisplayName || run.workflowName || run.workflowRef;
  const by = initiatorText(run);
  const why = run.waitingFor ?? run.statusMessage;
  return (
    <Table.Tr data-row={run.id} data-chosen={selection.has(run.id) || undefined}>
      <Table.Td>
        <Checkbox
          size="xs"
          aria-label={`Select run ${shortId(run.id)} of ${name}`}
          checked={selection.has(run.id)}
          onChange={() => selection.toggle(run)}
        />
      </Table.Td>
      <Table.Td>
        <StatusMark status={run.status} phase={run.phase} />
      </Table.Td>
      <Table.Td>
        <Link to={paths.run(team, run.id)} className={classes.name} data-row-link>
          {name} <span className={classes.id}>{shortId(run.id)}</span>
        </Link>{" "}
        <WarningMark count={run.warningCount} />
        {why && (
          <Text size="xs" className="quiet" lineClamp={1} title={why}>
            {why}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        {by}
        {by !== triggerWords[run.trigger] && <span className="quiet"> · {triggerWords[run.trigger]}</span>}
      </Table.Td>
      <Table.Td>
        <TimeText at={run.creationDate} />
      </Table.Td>
      <Table.Td className={classes.figure}>
        <RunDuration run={run} />
      </Table.Td>
      <Table.Td className={classes.figure}>
        {run.queued === undefined ? <span className="quiet">–</span> : durationText(run.queued)}
      </Table.Td>
      <Table.Td>
        <Labels labels={run.labels} />
      </Table.Td>
    </Table.Tr>
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
