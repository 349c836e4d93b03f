import { ActionIcon, CloseButton, Group, SegmentedControl, Tooltip } from "@mantine/core";
import { IconArrowsDiagonal, IconArrowsDiagonalMinimize2, IconPencil } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { type TaskRun, taskRunQuery } from "../../api/queries/task/task-catalog.ts";
import { LogView } from "../../components/log/log-view.tsx";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { t } from "../../texts/run/run.ts";
import { StatusMark } from "../../ui/mark/status-mark.tsx";
import { PlaceLink } from "../../ui/page-header.tsx";
import { ActionBox } from "./action-box.tsx";
import classes from "./panel.module.css";
import { TaskMenu } from "./rerun/task-menu.tsx";
import { TaskOrigin } from "./rerun/task-origin.tsx";
import { useEditPlace } from "./rerun/use-edit-place.ts";
import { LinkedText, useRunView } from "./run-context.tsx";
import { TaskDetails } from "./task-details.tsx";
import { TaskDuration } from "./task-list.tsx";
import { reasonOf, whyNoLog } from "./task-reason.ts";

const tabs = [
  { value: "log", label: t("taskPanel.log") },
  { value: "details", label: t("taskPanel.details") },
];

/** Everything about one task run, beside the list of tasks. */
export function TaskPanel({ task }: { task: TaskRun }) {
  const [{ tab }, setAddress] = useSearchState({ tab: "" });
  const place = useInView();
  const shown = tab === "log" || tab === "details" ? tab : tabOf(task);
  return (
    <section ref={place} className={classes.panel} aria-label={t("taskPanel.task", { name: task.name })}>
      <PanelHead task={task} />
      <TaskOrigin origin={task.origin} />
      {task.origin?.how !== "marked" && <Reason task={task} />}
      {(task.type === "approval" || task.type === "manual") && <ActionBox task={task} />}
      <div className={classes.tabs}>
        <SegmentedControl
          size="xs"
          data={tabs}
          value={shown}
          onChange={(chosen) => setAddress({ tab: chosen })}
          aria-label={t("taskPanel.taskViews")}
        />
      </div>
      {shown === "log" ? (
        // A reused task run has its log in the run where it was executed.
        <LogView taskRun={task.origin?.taskRunRef ?? task.id} name={task.name} status={task.status} whyEmpty={whyNoLog(task)} />
      ) : (
        <WholeDetails task={task} />
      )}
    </section>
  );
}

/** On narrow screens the panel is below the tasks; it is scrolled into view when it opens. */
function useInView() {
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    if (window.matchMedia("(max-width: 62em)").matches) place.current?.scrollIntoView({ block: "start" });
  }, []);
  return place;
}

/** If the task run has a log, the log is opened first. */
function tabOf({ needs, startTime }: TaskRun): string {
  return needs !== undefined && startTime !== undefined ? "log" : "details";
}

function PanelHead({ task }: { task: TaskRun }) {
  const { choose } = useRunView();
  const [{ wide }, setAddress] = useSearchState({ wide: false });
  const label = wide ? t("taskPanel.collapse") : t("taskPanel.expand");
  return (
    <Group className={classes.head ?? ""} gap="xs" wrap="nowrap">
      <StatusMark status={task.status} />
      <h2 className={classes.name} title={task.name}>
        {task.name}
      </h2>
      <span className={`quiet ${classes.took}`}>
        <TaskDuration task={task} />
      </span>
      <span className={classes.gap} />
      <TaskMenu task={task} />
      <EditLink task={task} />
      <Tooltip label={label}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={label}
          aria-pressed={wide}
          visibleFrom="md"
          onClick={() => setAddress({ wide: !wide })}
        >
          {wide ? <IconArrowsDiagonalMinimize2 size={16} /> : <IconArrowsDiagonal size={16} />}
        </ActionIcon>
      </Tooltip>
      <CloseButton aria-label={t("taskPanel.closeTask")} onClick={() => choose(undefined)} />
    </Group>
  );
}

/** Why the task run waits, was skipped or failed. Not shown when it succeeded. */
function Reason({ task }: { task: TaskRun }) {
  const { why, help } = reasonOf(task);
  if (why === undefined && help === undefined) return null;
  return (
    <div className={classes.reason}>
      {why && (
        <p>
          <LinkedText text={why} />
        </p>
      )}
      {help && <p className="quiet">{help}</p>}
    </div>
  );
}

/** The response with the whole run leaves out what would make it too large. The task run is then loaded on its own. */
function WholeDetails({ task }: { task: TaskRun }) {
  const { team } = useRunView();
  const { data } = useQuery({ ...taskRunQuery(team, task.id), enabled: task.truncated === true });
  return <TaskDetails task={task.truncated === true && data !== undefined ? data : task} />;
}

function EditLink({ task }: { task: TaskRun }) {
  const place = useEditPlace(task);
  if (place === undefined) return null;
  return (
    <Tooltip label={t("taskPanel.editTask")}>
      <ActionIcon component={PlaceLink} {...place} variant="subtle" color="gray" aria-label={t("taskPanel.editTask")}>
        <IconPencil size={16} />
      </ActionIcon>
    </Tooltip>
  );
}
