import { isFinal } from "@millrace/contract/status.ts";
import { IconAlertTriangleFilled, IconPlayerPlay, IconRecycle, IconUserCheck } from "@tabler/icons-react";
import { Handle, type Node, type NodeProps, Position } from "@xyflow/react";
import { memo } from "react";
import type { TaskRun } from "../../api/queries/task/task-catalog.ts";
import { NodeBox, nodeBoxClass } from "../../graph/node-box.tsx";
import { TurnMark } from "../../graph/turn-mark.tsx";
import { useNow } from "../../hooks/use-now.ts";
import { sentenceOf } from "../../texts/language.ts";
import { t } from "../../texts/run/run.ts";
import { numberText } from "../../ui/format.ts";
import { StatusMark, statusLook } from "../../ui/mark/status-mark.tsx";
import { countWarnings } from "../../ui/state/notice.tsx";
import { durationText, withOwnTimes } from "../../ui/time/time-format.ts";
import classes from "./run-graph.module.css";
import type { ItemCounts, RunNode } from "./run-graph-model.ts";

export interface RunNodeData extends RunNode, Record<string, unknown> {
  isChosen: boolean;
  /** Too small to read: drawn without text. */
  isFar: boolean;
  onChoose: (name: string) => void;
}

/**
 * A task in the graph of a run: its status by shape and word, its name, and its duration. The items of a forEach are drawn as a stack with
 * their counts.
 */
export const RunTaskNode = memo(
  function RunTaskNode({ data }: NodeProps<Node<RunNodeData>>) {
    const { name, type, task, items, plan, isChosen, isFar, onChoose } = data;
    const isEnd = type === "start" || type === "end";
    return (
      <>
        {!isFar && type !== "start" && (
          <Handle type="target" position={Position.Left} isConnectable={false} className={classes.handle ?? ""} />
        )}
        <button
          type="button"
          className={`${nodeBoxClass} ${classes.node}`}
          data-tone={plan ? planLooks[plan].tone : statusLook(task?.status ?? "notstarted").tone}
          data-plan={plan}
          data-far={isFar || undefined}
          data-marker={isEnd || undefined}
          data-beside={data.turn === "flow" ? undefined : true}
          data-pile={items !== undefined || undefined}
          aria-pressed={isChosen}
          aria-label={isFar ? name : undefined}
          onClick={() => onChoose(name)}
          title={name}
        >
          {!isFar && <NodeWords data={data} isEnd={isEnd} />}
        </button>
        {!isFar && type !== "end" && (
          <Handle type="source" position={Position.Right} isConnectable={false} className={classes.handle ?? ""} />
        )}
      </>
    );
  },
  (before, after) => before.data === after.data,
);

const planLooks = {
  reused: { tone: "skipped", word: t("runTaskNode.planReused"), icon: IconRecycle },
  again: { tone: "running", word: t("runTaskNode.planAgain"), icon: IconPlayerPlay },
  marked: { tone: "succeeded", word: t("runTaskNode.planMarked"), icon: IconUserCheck },
};

function NodeWords({ data: { name, type, task, items, plan, turn, undoes }, isEnd }: { data: RunNodeData; isEnd: boolean }) {
  if (plan) {
    const { word, icon: Icon } = planLooks[plan];
    return <NodeBox type={type} taskRef={undefined} name={name} detail={word} state={<Icon size={16} aria-hidden />} marks={undefined} />;
  }
  return (
    <NodeBox
      type={type}
      taskRef={task?.taskName}
      name={name}
      detail={isEnd ? undefined : items ? itemsText(items) : task && <TaskDetail task={task} />}
      state={<StatusMark status={task?.status ?? "notstarted"} isBare />}
      marks={
        <>
          <TurnMark turn={turn} undoes={undoes} />
          {task?.origin?.how === "reused" && <IconRecycle size={14} aria-hidden />}
          {task?.origin?.how === "marked" && <IconUserCheck size={14} aria-hidden />}
          {task?.warnings && <NodeWarnings count={task.warnings.length} />}
        </>
      }
    />
  );
}

function NodeWarnings({ count }: { count: number }) {
  return (
    <span className={classes.warnings} title={countWarnings(count)}>
      <IconAlertTriangleFilled size={14} aria-hidden />
      <span className="only-heard">{countWarnings(count)}</span>
    </span>
  );
}

function itemsText({ all, over, running, failed, maxRounds }: ItemCounts): string {
  if (maxRounds !== undefined) return t("runTaskNode.rounds", { count: all, max: maxRounds });
  const parts = [t("runTaskNode.finished", { count: numberText(over), count2: numberText(all) })];
  if (running > 0) parts.push(t("runTaskNode.running", { count: numberText(running) }));
  if (failed > 0) parts.push(t("runTaskNode.failed", { count: numberText(failed) }));
  return parts.join(" · ");
}

function TaskDetail({ task }: { task: TaskRun }) {
  const now = useNow(isFinal(task.status) ? undefined : 1_000);
  const { word } = statusLook(task.status);
  if (task.origin) return task.origin.how === "reused" ? t("runTaskNode.planReused") : t("runTaskNode.planMarked");
  if (isFinal(task.status)) return task.startTime ? <TimedWord word={word} time={durationText(task.duration)} /> : word;
  const waitsFor = withOwnTimes(task.waitingFor === undefined ? word : sentenceOf(task.waitingFor));
  if (!task.startTime) return waitsFor;
  const since = durationText(Math.max(0, now - new Date(task.startTime).getTime()));
  return task.status === "waiting" ? `${since} · ${waitsFor}` : <TimedWord word={word} time={since} />;
}

/** If there is no room for both, the word is cut, which the icon says as well. */
function TimedWord({ word, time }: { word: string; time: string }) {
  return (
    <span className={classes.timed}>
      <span className={classes.timedWord}>{word}</span>
      <span className={classes.time}>{` · ${time}`}</span>
    </span>
  );
}
