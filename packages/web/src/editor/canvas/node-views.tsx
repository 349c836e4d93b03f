import {
  IconAlertTriangle,
  IconAlertTriangleFilled,
  IconArrowUpCircle,
  IconCircleCheckFilled,
  IconCircleXFilled,
  IconPinFilled,
  IconRepeat,
  IconRotate,
} from "@tabler/icons-react";
import { Handle, type NodeProps, Position } from "@xyflow/react";
import { memo, useContext } from "react";
import { NodeBox, nodeBoxClass } from "../../graph/node-box.tsx";
import { markerOf } from "../../graph/node-size.ts";
import { TurnMark } from "../../graph/turn-mark.tsx";
import { t } from "../../texts/workflow/designer.ts";
import { Markdown } from "../../ui/markdown.tsx";
import { countNested } from "../nested/nested-draft.ts";
import { FarContext, type NoteNode, type TaskNode } from "./flow-elements.ts";
import { trialWords } from "./flow-graph.ts";
import classes from "./node-views.module.css";

/** A task on the canvas. It doesn't depend on its position, so that moving it doesn't render it again. */
export const TaskNodeView = memo(
  function TaskNodeView({ data, selected }: NodeProps<TaskNode>) {
    const isFar = useContext(FarContext);
    const { task, problem, warning } = data;
    const marker = markerOf(task);
    return (
      <div
        className={`${nodeBoxClass} ${classes.node}`}
        data-far={isFar || undefined}
        data-marker={marker}
        data-selected={selected || undefined}
        data-wrong={problem !== undefined || undefined}
        data-beside={data.turn === "flow" ? undefined : true}
        data-doubtful={warning !== undefined || undefined}
        title={isFar ? task.name : (problem ?? warning ?? task.name)}
      >
        {!isFar && <TaskContent data={data} />}
      </div>
    );
  },
  (before, after) => before.data === after.data && before.selected === after.selected,
);

/** The name, the task definition and its version, and further information about the task. */
function TaskContent({ data }: Pick<NodeProps<TaskNode>, "data">) {
  const { task, definition } = data;
  const marker = markerOf(task);
  return (
    <>
      {marker !== "start" && <Handle type="target" position={Position.Left} className={classes.handle} />}
      <NodeBox
        type={marker ?? task.type ?? definition?.type}
        icon={definition?.icon}
        name={task.name}
        detail={marker === undefined ? detailOf(data) : undefined}
        marks={<TaskMarks data={data} />}
      />
      {marker !== "end" && <Handle type="source" position={Position.Right} className={classes.handle} />}
    </>
  );
}

function detailOf({ task, definition }: NodeProps<TaskNode>["data"]): string {
  const count = countNested(task);
  if (count !== undefined) return t("taskNode.nested", { count });
  return definition?.displayName ?? task.taskRef ?? t("taskNode.noTaskSelected");
}

function TaskMarks({ data: { task, definition, problem, warning, trial, turn, undoes } }: Pick<NodeProps<TaskNode>, "data">) {
  const isOutdated = task.taskVersion != null && (definition?.version ?? 0) > task.taskVersion;
  return (
    <>
      {problem !== undefined && <IconAlertTriangleFilled size={16} className={classes.wrong} aria-hidden />}
      {problem === undefined && warning !== undefined && <IconAlertTriangle size={16} className={classes.outdated} aria-hidden />}
      {isOutdated && <IconArrowUpCircle size={16} className={classes.outdated} aria-hidden />}
      <TurnMark turn={turn} undoes={undoes} />
      {(task.forEach || task.loop) && <IconRepeat size={14} aria-hidden />}
      {task.retry && <IconRotate size={14} aria-hidden />}
      {trial !== undefined && <TrialMarks trial={trial} />}
    </>
  );
}

/** The result of the last trial, whether it is outdated, and whether the output is pinned. */
function TrialMarks({ trial }: { trial: string }) {
  const [status, stale, pinned] = trial.split("|");
  return (
    <span className={classes.trial} title={trialWords(trial).join(", ")} data-stale={stale || undefined}>
      {pinned && <IconPinFilled size={14} className={stale ? classes.outdated : undefined} aria-hidden />}
      {status === "succeeded" && <IconCircleCheckFilled size={14} className={classes.passed} aria-hidden />}
      {status !== "" && status !== "succeeded" && <IconCircleXFilled size={14} className={classes.wrong} aria-hidden />}
    </span>
  );
}

/** A note on the canvas. */
export const NoteNodeView = memo(
  function NoteNodeView({ data, selected }: NodeProps<NoteNode>) {
    return (
      <div className={classes.note} data-selected={selected || undefined}>
        {data.note.text === "" ? <span className="quiet">{t("noteNode.emptyNote")}</span> : <Markdown text={data.note.text} />}
      </div>
    );
  },
  (before, after) => before.data === after.data && before.selected === after.selected,
);
