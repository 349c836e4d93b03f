import { Button, Select, TextInput } from "@mantine/core";
import { useDebouncedValue, useMediaQuery } from "@mantine/hooks";
import { isFinal, type Status, statuses } from "@millrace/contract/status.ts";
import { IconSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef } from "react";
import { firstTaskPageQuery, type TaskRunFilter } from "../../api/queries/run/task-runs.ts";
import type { TaskRun } from "../../api/queries/task/task-catalog.ts";
import { countStatuses } from "../../components/run-graph/run-graph-model.ts";
import { useNow } from "../../hooks/use-now.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { sentenceOf } from "../../texts/language.ts";
import { t } from "../../texts/run/run.ts";
import { StatusMark, statusLook } from "../../ui/mark/status-mark.tsx";
import { NotLoaded } from "../../ui/state/not-loaded.tsx";
import { EmptyState, WarningMark } from "../../ui/state/notice.tsx";
import { durationText, withOwnTimes } from "../../ui/time/time-format.ts";
import { TimeText } from "../../ui/time/time-text.tsx";
import { usePagedTask } from "./paged-task.ts";
import { OriginMark } from "./rerun/task-origin.tsx";
import { useRunView } from "./run-context.tsx";
import classes from "./task-list.module.css";
import { reasonOf } from "./task-reason.ts";

const rowHeight = 32;
/** On phones a row is a card of two lines. Must match the styles. */
const cardHeight = 56;
const phone = "(max-width: 600px)";

/** All task runs of the run, including items, filtered by status and name. Only the visible ones are loaded and rendered. */
export function TaskList() {
  const { team, run, tasks } = useRunView();
  const [{ status, find }, setAddress] = useSearchState({ status: "", find: "" });
  const [search] = useDebouncedValue(String(find).trim(), 200);
  const filter = useMemo(
    (): TaskRunFilter => ({ ...(status !== "" && { statuses: [status as Status] }), ...(search !== "" && { search }) }),
    [status, search],
  );
  const query = useQuery(firstTaskPageQuery(team, run.id, filter));
  const all = [...countStatuses(tasks).values()].reduce((sum, count) => sum + count, 0);
  const shown = query.data?.totalElements;
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
          {shown === undefined || filter.statuses || filter.search
            ? t("taskList.tasksOf", { shown: shown ?? 0, all })
            : t("taskList.tasks", { count: shown })}
        </span>
      </div>
      {shown === undefined ? (
        <NotLoaded query={query} label={t("taskList.loadingTasks")} rows={8} />
      ) : shown === 0 ? (
        <EmptyState title={t("taskList.noMatchingTasks")}>
          <Button variant="default" size="xs" onClick={() => setAddress({ status: "", find: "" })}>
            {t("taskList.showAllTasks")}
          </Button>
        </EmptyState>
      ) : (
        <Rows count={shown} filter={filter} />
      )}
    </div>
  );
}

function Rows({ count, filter }: { count: number; filter: TaskRunFilter }) {
  const box = useRef<HTMLDivElement>(null);
  const isPhone = useMediaQuery(phone, false, { getInitialValueInEffect: false });
  const rows = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => (isPhone ? cardHeight : rowHeight),
    overscan: 12,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: other heights have to be measured again
  useEffect(() => rows.measure(), [rows, isPhone]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must be reachable by keyboard
    <section ref={box} className={classes.rows} tabIndex={0} aria-label={t("taskList.listTasks")}>
      <table className={classes.table} aria-rowcount={count + 1}>
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
            <PagedRow key={item.index} filter={filter} index={item.index} top={item.start} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function PagedRow({ filter, index, top }: { filter: TaskRunFilter; index: number; top: number }) {
  const { team, run } = useRunView();
  const task = usePagedTask(team, run.id, filter, index);
  if (task !== undefined) return <TaskRow {...{ task, index, top }} />;
  return <tr className={classes.row} aria-rowindex={index + 2} style={{ transform: `translateY(${top}px)` }} />;
}

function TaskRow({ task, index, top }: { task: TaskRun; index: number; top: number }) {
  const { chosen, choose } = useRunView();
  const { why: sentence } = reasonOf(task);
  const why = sentence && withOwnTimes(sentenceOf(sentence));
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
        <WarningMark count={task.warnings?.length ?? 0} /> <OriginMark origin={task.origin} />
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

/** How long the task ran, or has been running. */
export function TaskDuration({ task }: { task: TaskRun }) {
  const isOver = isFinal(task.status);
  const now = useNow(isOver || task.startTime === undefined ? undefined : 1_000);
  if (task.startTime === undefined) return null;
  return durationText(isOver ? task.duration : Math.max(0, now - new Date(task.startTime).getTime()));
}
