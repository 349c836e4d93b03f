import { Anchor, Table, Text } from "@mantine/core";
import { IconRosetteDiscountCheck } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { Fragment } from "react";
import type { Task, TaskScope } from "../../api/queries/tasks.ts";
import { taskTypeWord } from "../../forms/task-form/task-type-words.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/tasks.ts";
import { TimeText } from "../../ui/time/time-text.tsx";
import { TaskState } from "./task-state.tsx";
import classes from "./tasks.module.css";

/** One line a task, below the name of its category. */
export function TaskTable({ tasks, scope }: { tasks: readonly Task[]; scope: TaskScope }) {
  const categories = [...new Set(tasks.map(categoryOf))].sort((a, b) => a.localeCompare(b));
  return (
    <Table.ScrollContainer minWidth={720} px="md" pb="lg" scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table className={classes.table} highlightOnHover verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("taskTable.task")}</Table.Th>
            <Table.Th w={150}>{t("taskTable.type")}</Table.Th>
            <Table.Th w={110}>{t("taskTable.status")}</Table.Th>
            <Table.Th w={80}>{t("taskTable.version")}</Table.Th>
            <Table.Th w={190}>{t("taskTable.changed")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {categories.map((category) => (
            <Fragment key={category}>
              <Table.Tr className={classes.group}>
                <Table.Th colSpan={5} scope="colgroup">
                  {category}
                </Table.Th>
              </Table.Tr>
              {tasks
                .filter((task) => categoryOf(task) === category)
                .sort((one, other) => titleOf(one).localeCompare(titleOf(other)))
                .map((task) => (
                  <TaskRow key={task.id ?? task.name} task={task} scope={scope} />
                ))}
            </Fragment>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function categoryOf({ category }: Task): string {
  return category || t("taskTable.noCategory");
}

function titleOf({ displayName, name }: Task): string {
  return displayName || name;
}

function TaskRow({ task, scope }: { task: Task; scope: TaskScope }) {
  const to = scope === undefined ? paths.globalTask(task.name) : paths.teamTask(scope, task.name);
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor component={Link} to={to} c="inherit" fw={500} underline="hover">
          {titleOf(task)}
        </Anchor>{" "}
        {task.displayName !== task.name && <code className="quiet">{task.name}</code>}
        {task.verified && (
          <span className={classes.verified} title={t("taskTable.built")}>
            <IconRosetteDiscountCheck size={14} aria-hidden /> <span className="only-heard">{t("taskTable.built")}</span>
          </span>
        )}
        <Text size="sm" className="quiet" lineClamp={1}>
          {task.description}
        </Text>
      </Table.Td>
      <Table.Td>{taskTypeWord(task.type)}</Table.Td>
      <Table.Td>
        <TaskState status={task.status} />
      </Table.Td>
      <Table.Td>{task.version}</Table.Td>
      <Table.Td>
        <TimeText at={task.changelog?.date} />
        <Text size="sm" className="quiet" truncate>
          {task.changelog?.author}
        </Text>
      </Table.Td>
    </Table.Tr>
  );
}
