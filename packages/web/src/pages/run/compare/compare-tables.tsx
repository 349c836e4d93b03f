import { Table, Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { Run } from "../../../api/queries/run/runs.ts";
import type { TaskRun } from "../../../api/queries/task/task-catalog.ts";
import { RunDuration } from "../../../components/run-duration.tsx";
import { initiatorText } from "../../../components/run-words.ts";
import { t } from "../../../texts/run/run-compare.ts";
import { StatusMark } from "../../../ui/mark/status-mark.tsx";
import { durationText } from "../../../ui/time/time-format.ts";
import { TimeText } from "../../../ui/time/time-text.tsx";
import { RunLink } from "../run-link.tsx";
import classes from "./compare.module.css";
import { type ComparedTask, type ComparedValue, partedAt, type RunChange } from "./compare-runs.ts";

const changeWords: Record<RunChange, string> = {
  same: t("change.same"),
  changed: t("change.changed"),
  onlyThis: t("change.onlyThis"),
  onlyOther: t("change.onlyOther"),
};

interface SectionProps {
  title: string;
  /** Shown instead of an empty table. */
  none?: string | undefined;
  /** Shown below the title. */
  note?: ReactNode;
  heads?: readonly string[];
  children: ReactNode;
}

function Section({
  title,
  none,
  note,
  heads = [t("comparison.thisRun"), t("comparison.otherRun"), t("comparison.difference")],
  children,
}: SectionProps) {
  return (
    <>
      <h3>{title}</h3>
      {note}
      {none !== undefined ? (
        <p className="quiet">{none}</p>
      ) : (
        <Table role="table" className={classes.table} fz="sm" verticalSpacing={6} aria-label={title}>
          <Table.Thead role="rowgroup">
            <Table.Tr role="row">
              <Table.Th role="columnheader" w="20%">
                {t("comparison.name")}
              </Table.Th>
              {heads.map((head) => (
                <Table.Th key={head} role="columnheader">
                  {head}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody role="rowgroup">{children}</Table.Tbody>
        </Table>
      )}
    </>
  );
}

interface LineProps {
  name: ReactNode;
  mine: ReactNode;
  other: ReactNode;
  change?: RunChange;
  more?: ReactNode;
}

function Line({ name, mine, other, change, more }: LineProps) {
  const none = <span className="quiet">–</span>;
  return (
    <Table.Tr role="row" data-change={change}>
      <Table.Th role="rowheader" scope="row" fw={400}>
        {name}
      </Table.Th>
      <Table.Td role="cell">{mine ?? none}</Table.Td>
      <Table.Td role="cell">{other ?? none}</Table.Td>
      {change && (
        <Table.Td role="cell" className={classes.change}>
          {change === "same" ? "" : changeWords[change]} {more}
        </Table.Td>
      )}
    </Table.Tr>
  );
}

/** The two runs, and the overall outcome of each. */
export function FactTable({ team, run, other }: { team: string; run: Run; other: Run }) {
  const lines: [string, (one: Run) => ReactNode][] = [
    [t("comparison.run"), (one) => (one === run ? one.id.slice(-8) : <RunLink team={team} id={one.id} />)],
    [t("comparison.status"), (one) => <StatusMark status={one.status} phase={one.phase} waitKinds={one.waitKinds} />],
    [t("comparison.created"), (one) => <TimeText at={one.creationDate} isExact />],
    [t("comparison.duration"), (one) => <RunDuration run={one} />],
    [t("comparison.queued"), (one) => one.queued !== undefined && durationText(one.queued)],
    [t("comparison.version"), (one) => one.workflowVersion],
    [t("comparison.startedBy"), (one) => initiatorText(one)],
  ];
  return (
    <Section title={t("comparison.summary")} heads={[t("comparison.thisRun"), t("comparison.otherRun")]}>
      {lines.map(([name, cell]) => (
        <Line key={name} name={name} mine={cell(run)} other={cell(other)} />
      ))}
    </Section>
  );
}

/** The path of each run, and how its tasks ended and how long they took. */
export function TaskTable({ tasks, isWhole }: { tasks: readonly ComparedTask[]; isWhole: boolean }) {
  const shown = isWhole ? tasks : tasks.filter(({ change }) => change !== "same");
  const parted = partedAt(tasks);
  return (
    <Section
      title={t("comparison.tasks")}
      none={shown.length === 0 ? t("comparison.sameTasks", { count: tasks.length }) : undefined}
      note={
        parted.length > 0 && (
          <Text size="sm">
            {t("comparison.parted", {
              names: parted
                .slice(0, 5)
                .map(({ name }) => name)
                .join(", "),
              more: Math.max(0, parted.length - 5),
            })}
          </Text>
        )
      }
    >
      {shown.map(({ name, change, thisTask, otherTask, slowerMs }) => (
        <Line
          key={name}
          name={name}
          change={change}
          mine={thisTask && <TaskCell task={thisTask} />}
          other={otherTask && <TaskCell task={otherTask} />}
          more={slowerMs !== undefined && Math.abs(slowerMs) >= 1_000 && <span className="quiet">{differenceText(slowerMs)}</span>}
        />
      ))}
    </Section>
  );
}

const differenceText = (slowerMs: number) =>
  t(slowerMs > 0 ? "comparison.slower" : "comparison.faster", { duration: durationText(Math.abs(slowerMs)) });

function TaskCell({ task }: { task: TaskRun }) {
  const value = task.decisionValue === undefined ? "" : ` → ${JSON.stringify(task.decisionValue)}`;
  return (
    <>
      <StatusMark status={task.status} /> {task.startTime !== undefined && durationText(task.duration)}
      {value && <code>{value}</code>}
    </>
  );
}

/** A table of parameters or results. */
export function ValueTable({ title, values, isWhole }: { title: string; values: readonly ComparedValue[]; isWhole: boolean }) {
  const shown = isWhole ? values : values.filter(({ change }) => change !== "same");
  const none = values.length === 0 ? t("comparison.noValues") : t("comparison.sameValues", { count: values.length });
  return (
    <Section title={title} none={shown.length === 0 ? none : undefined}>
      {shown.map(({ name, change, thisText, otherText }) => (
        <Line key={name} name={<code>{name}</code>} change={change} mine={textCell(thisText)} other={textCell(otherText)} />
      ))}
    </Section>
  );
}

/** Longer values are cut; the page of each run shows all of them. */
const mostCharacters = 2_000;

function textCell(text: string | undefined): ReactNode {
  if (text === undefined) return undefined;
  return <pre className={classes.value}>{text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text}</pre>;
}
