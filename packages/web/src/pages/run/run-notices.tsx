import { isRunOver } from "@millrace/contract/run-rules.ts";
import { useQuery } from "@tanstack/react-query";
import { followUpsQuery } from "../../api/queries/runs.ts";
import type { TaskRun } from "../../api/queries/task-runs.ts";
import { hasFailed } from "../../components/run-graph/run-graph-model.ts";
import { t } from "../../texts/run.ts";
import { StatusMark } from "../../ui/mark/status-mark.tsx";
import { LinkedText } from "./linked-text.tsx";
import classes from "./run.module.css";
import { useRunView } from "./run-context.ts";
import { RunLink } from "./run-header.tsx";
import { Notice } from "./run-notice.tsx";
import { RunResults } from "./run-results.tsx";
import { RunWarnings } from "./run-warnings.tsx";
import { reasonOf } from "./task-reason.ts";

/** What one would look for first: what the run waits for, which task failed and why, who is wanted, what it started. */
export function RunNotices() {
  const { run, tasks, choose } = useRunView();
  const isOver = isRunOver(run);
  const failed = tasks.filter(({ status, reason }) => hasFailed(status) && reason !== "ItemFailed");
  const first = failed.toSorted((a, b) => (a.startTime ?? "9").localeCompare(b.startTime ?? "9"))[0];
  const people = isOver ? [] : tasks.filter(({ status, type }) => status === "waiting" && (type === "approval" || type === "manual"));
  return (
    <div className={classes.notices}>
      {run.waitingFor && (
        <Notice tone="waiting">
          <LinkedText text={run.waitingFor} />
        </Notice>
      )}
      {people.map((task) => (
        <Notice key={task.id} tone="waiting" action={t("runNotices.decide")} onAction={() => choose(task.id, "details")}>
          <strong>{task.name}</strong>: <LinkedText text={task.waitingFor ?? t("runNotices.waitingPeople")} />
        </Notice>
      ))}
      {first && (
        <Notice
          tone={run.status === "succeeded" ? "plain" : "failed"}
          action={t("runNotices.showLog")}
          onAction={() => choose(first.id, "log")}
        >
          <FailedTask task={first} others={failed.length - 1} />
        </Notice>
      )}
      {first === undefined && isOver && run.status !== "succeeded" && run.statusMessage && (
        <Notice tone="failed">
          <LinkedText text={run.statusMessage} />
        </Notice>
      )}
      <RunWarnings />
      {isOver && run.results.length > 0 && <RunResults />}
      {isOver && <FollowUps />}
    </div>
  );
}

function FailedTask({ task, others }: { task: TaskRun; others: number }) {
  const { why } = reasonOf(task);
  return (
    <>
      <StatusMark status={task.status} isOnGround /> · <strong>{task.name}</strong>
      {why && (
        <>
          : <LinkedText text={why} />
        </>
      )}
      {others > 0 && <span className="quiet"> {t("runNotices.moreTasksDidNot", { others })}</span>}
    </>
  );
}

const whyNone = {
  refused: t("runNotices.wasRejected"),
  loop: t("runNotices.wasSkippedBecauseLed"),
  tooLong: t("runNotices.wasSkippedBecauseChain"),
};

/** Runs that the end of this one started, and why others were not. */
function FollowUps() {
  const { team, run } = useRunView();
  const { data } = useQuery(followUpsQuery(team, run.id));
  const named = (data?.content ?? []).map((one) => ({ ...one, name: one.workflowName ?? t("runNotices.deletedWorkflow") }));
  const begun = named.filter(({ outcome }) => outcome === "submitted");
  const left = named.flatMap((one) => (one.outcome === "submitted" ? [] : [{ ...one, why: whyNone[one.outcome] }]));
  return (
    <>
      {begun.length > 0 && (
        <Notice tone="plain">
          {t.rich("runNotices.endRunStarted", {
            begun: () =>
              begun.map(({ workflowRef, workflowRunRef, name }, index) => (
                <span key={workflowRef}>
                  {index > 0 && ", "}
                  {name} {workflowRunRef && <RunLink team={team} id={workflowRunRef} />}
                </span>
              )),
          })}
          {data?.last === false && ` ${t("runNotices.more")}`}
        </Notice>
      )}
      {left.map(({ workflowRef, name, why, message }) => (
        <Notice key={workflowRef} tone="plain">
          {t.rich("runNotices.whichWaitsEnd", { strong: () => <strong>{name}</strong>, why })}
          {message && (
            <>
              : <LinkedText text={message} />
            </>
          )}
        </Notice>
      ))}
    </>
  );
}
