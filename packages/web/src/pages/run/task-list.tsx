import { Button, Select, TextInput } from "@mantine/core";
import { isFinal, type Status, statuses } from "@millrace/contract/status.ts";
import { IconSearch } from "@tabler/icons-react";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo, useRef } from "react";
import type { TaskRun } from "../../api/queries/task-catalog.ts";
import { useNow } from "../../hooks/use-now.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { t } from "../../texts/run.ts";
import { StatusMark, statusLook } from "../../ui/mark/status-mark.tsx";
import { EmptyState, WarningMark } from "../../ui/state/notice.tsx";
import { durationText, withOwnTimes } from "../../ui/time/time-format.ts";
import { TimeText } from "../../ui/time/time-text.tsx";
import { useRunView } from "./run-context.tsx";
import classes from "./task-list.module.css";
import { reasonOf } from "./task-reason.ts";

const rowHeight = 32;

/** All task runs of the run, items too, by status and name; only what is in view is drawn. */
export function TaskList() {
  const { tasks } = useRunView();
  const [{ status, find }, setAddress] = useSearchState({ status: "", find: "" });
  const shown = useMemo(() => filterTasks(tasks, String(status), String(find)), [tasks, status, find]);
  return (
    <div className={classes.list}>
      <div className={classes.filters}>
        <TextInput
          size="xs"
          type="search"
          aria-label={t("taskList.findTasksName")}
          placeholder={t("taskList.findNamePlaceholder")}
          leftSection={<IconSearch size={14} aria-hidden />}
          value={String(find)}
          onChange={(event) => setAddress({ find: event.currentTarget.value })}
        />
        <Select
          size="xs"
          w={160}
          aria-label={t("taskList.status")}
          placeholder={t("taskList.anyStatusPlaceholder")}
          clearable
          data={statuses.map((value) => ({ value, label: statusLook(value).word }))}
          value={status || null}
          onChange={(chosen) => setAddress({ status: chosen ?? "" })}
        />
        <span className="quiet" role="status">
          {shown.length === tasks.length
            ? t("taskList.tasks", { count: tasks.length })
            : t("taskList.tasksOf", { shown: shown.length, all: tasks.length })}
        </span>
      </div>
      {shown.length === 0 ? (
        <EmptyState title={t("taskList.noMatchingTasks")}>
          <Button variant="default" size="xs" onClick={() => setAddress({ status: "", find: "" })}>
            {t("taskList.showAllTasks")}
          </Button>
        </EmptyState>
      ) : (
        <Rows tasks={shown} />
      )}
    </div>
  );
}

/** @param find part of the name, in upper or lower case */
function filterTasks(tasks: readonly TaskRun[], status: string, find: string): readonly TaskRun[] {
  if (status === "" && find === "") return tasks;
  const wanted = find.toLowerCase();
  return tasks.filter((task) => (status === "" || task.status === (status as Status)) && task.name.toLowerCase().includes(wanted));
}

function Rows({ tasks }: { tasks: readonly TaskRun[] }) {
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({ count: tasks.length, getScrollElement: () => box.current, estimateSize: () => rowHeight, overscan: 12 });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section ref={box} className={classes.rows} tabIndex={0} aria-label={t("taskList.listTasks")}>
      <table className={classes.table} aria-rowcount={tasks.length + 1}>
        <thead>
          <tr className={classes.head}>
            {[
              t("taskList.status"),
              t("taskList.task"),
              t("taskList.started"),
              t("taskList.duration"),
              t("taskList.attempt"),
              t("taskList.reason"),
            ].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className={classes.all} style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map((item) => (
            <TaskRow key={item.index} task={tasks[item.index] as TaskRun} index={item.index} top={item.start} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function TaskRow({ task, index, top }: { task: TaskRun; index: number; top: number }) {
  const { chosen, choose } = useRunView();
  const { why: sentence } = reasonOf(task);
  const why = sentence && withOwnTimes(sentence);
  return (
    <tr
      className={classes.row}
      aria-rowindex={index + 2}
      data-chosen={chosen?.id === task.id || undefined}
      style={{ transform: `translateY(${top}px)` }}
    >
      <td>
        <StatusMark status={task.status} />
      </td>
      <td className={classes.cell}>
        <button type="button" className={classes.open} onClick={() => choose(task.id)} title={task.name}>
          {task.name}
        </button>{" "}
        <WarningMark count={task.warnings?.length ?? 0} />
      </td>
      <td>{task.startTime ? <TimeText at={task.startTime} /> : ""}</td>
      <td className={classes.number}>
        <TaskDuration task={task} />
      </td>
      <td className={classes.number}>{task.attempt > 1 ? task.attempt : ""}</td>
      <td className={`${classes.cell} quiet`} title={why}>
        {task.status === "succeeded" ? "" : why}
      </td>
    </tr>
  );
}

/** For how long it ran, or runs. */
export function TaskDuration({ task }: { task: TaskRun }) {
  const isOver = isFinal(task.status);
  const now = useNow(isOver || task.startTime === undefined ? undefined : 1_000);
  if (task.startTime === undefined) return null;
  return durationText(isOver ? task.duration : Math.max(0, now - new Date(task.startTime).getTime()));
}
