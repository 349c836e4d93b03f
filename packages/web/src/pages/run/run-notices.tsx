import { Button } from "@mantine/core";
import type { components } from "@millrace/client/schema.generated.ts";
import { isRunOver } from "@millrace/contract/run/run-rules.ts";
import type { Status } from "@millrace/contract/status.ts";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { followUpsQuery } from "../../api/queries/run/runs.ts";
import type { TaskRun } from "../../api/queries/task/task-catalog.ts";
import { hasFailed } from "../../components/run-graph/run-graph-model.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { sentenceOf } from "../../texts/language.ts";
import { t } from "../../texts/run/run.ts";
import { Fold } from "../../ui/fold.tsx";
import { StatusMark } from "../../ui/mark/status-mark.tsx";
import { PlaceLink } from "../../ui/page-header.tsx";
import { countWarnings } from "../../ui/state/notice.tsx";
import { Acknowledgement } from "./comments/acknowledgement.tsx";
import { useReruns } from "./rerun/task-origin.tsx";
import { useEditPlace } from "./rerun/use-edit-place.ts";
import classes from "./run.module.css";
import { LinkedText, useRunView } from "./run-context.tsx";
import { RunLink } from "./run-link.tsx";
import { reasonOf } from "./task-reason.ts";

/** If there are more, only their number is shown here. */
const shownResults = 2;

/** The results of the run, in short, with a link to all of them. */
function RunResults() {
  const { run } = useRunView();
  const [, setAddress] = useSearchState({ view: "graph" });
  const rest = run.results.length - shownResults;
  return (
    <Notice tone="plain" action={t("runResults.showResults")} onAction={() => setAddress({ view: "values" }, { replace: false })}>
      <div className={classes.results}>
        {run.results.slice(0, shownResults).map(({ name, value }) => (
          <span key={name} className={classes.result}>
            <span className="quiet">{name}</span> <code>{shortText(value)}</code>
          </span>
        ))}
        {rest > 0 && <span className="quiet">{t("runResults.more", { rest })}</span>}
      </div>
    </Notice>
  );
}

function shortText(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/** What the viewer most likely looks for: what the run waits for, which task failed and why, who has to act, what it started. */
export function RunNotices() {
  const { run, tasks, choose } = useRunView();
  const isOver = isRunOver(run);
  const [, setAddress] = useSearchState({ view: "graph", status: "" });
  const failed = tasks.filter(({ status, reason }) => hasFailed(status) && reason !== "ItemFailed" && reason !== "RoundFailed");
  const first = failed.toSorted((a, b) => (a.startTime ?? "9").localeCompare(b.startTime ?? "9"))[0];
  const people = isOver ? [] : tasks.filter(({ status, type }) => status === "waiting" && (type === "approval" || type === "manual"));
  const morePeople = isOver
    ? 0
    : countLeftOut(
        tasks,
        ({ type }) => type === "approval" || type === "manual",
        (status) => status === "waiting",
      );
  const moreFailed = countLeftOut(tasks, () => true, hasFailed);
  return (
    <div className={classes.notices}>
      {run.waitingFor && (
        <Notice tone="waiting">
          <LinkedText text={run.waitingFor} />
        </Notice>
      )}
      {!isOver && run.phase === "running" && run.reason && run.statusMessage && (
        <Notice tone="waiting">
          <LinkedText text={t("runNotices.handlersRun", { why: sentenceOf(run.statusMessage) })} />
        </Notice>
      )}
      {people.map((task) => (
        <Notice key={task.id} tone="waiting" action={t("runNotices.decide")} onAction={() => choose(task.id, "details")}>
          <strong>{task.name}</strong>: <LinkedText text={task.waitingFor ?? t("runNotices.waitingPeople")} />
        </Notice>
      ))}
      {morePeople > 0 && (
        <Notice
          tone="waiting"
          action={t("runNotices.showWaiting")}
          onAction={() => setAddress({ view: "list", status: "waiting" }, { replace: false })}
        >
          {t("runNotices.moreWaitPeople", { count: morePeople })}
        </Notice>
      )}
      {first && (
        <Notice
          tone={run.status === "succeeded" ? "plain" : "failed"}
          action={t("runNotices.showLog")}
          onAction={() => choose(first.id, "log")}
          aside={<EditButton task={first} />}
        >
          <FailedTask task={first} others={failed.length - 1 + moreFailed} />
        </Notice>
      )}
      {first && isOver && <NotUndone />}
      {first === undefined && isOver && run.status !== "succeeded" && run.statusMessage && (
        <Notice tone="failed">
          <LinkedText text={run.statusMessage} />
        </Notice>
      )}
      <Acknowledgement />
      <RunWarnings />
      {isOver && run.results.length > 0 && <RunResults />}
      {isOver && <Reruns />}
      {isOver && <FollowUps />}
    </div>
  );
}

/** What the compensations left undone. The run's message has this after the reason of the failure, which another notice already shows. */
function NotUndone() {
  const { run } = useRunView();
  const text = /Not undone: .+$/s.exec(run.statusMessage ?? "")?.[0];
  if (text === undefined) return null;
  return (
    <Notice tone="failed">
      <LinkedText text={text} />
    </Notice>
  );
}

/** The number of items that the summary of the run leaves out. */
function countLeftOut(tasks: readonly TaskRun[], isMeant: (task: TaskRun) => boolean, has: (status: Status) => boolean): number {
  const all = tasks.filter(isMeant).flatMap(({ items }) => Object.entries(items?.statuses ?? {}) as [Status, number][]);
  const there = tasks.filter((task) => task.item !== undefined && isMeant(task) && has(task.status)).length;
  return all.reduce((sum, [status, count]) => sum + (has(status) ? count : 0), 0) - there;
}

/** The reruns of this run. */
function Reruns() {
  const reruns = useReruns();
  return reruns && <Notice tone="plain">{reruns}</Notice>;
}

/** Opens the editor, to fix a failed run. */
function EditButton({ task }: { task: TaskRun }) {
  const place = useEditPlace(task);
  return (
    place && (
      <Button size="compact-sm" variant="default" component={PlaceLink} {...place}>
        {t("runNotices.editTask")}
      </Button>
    )
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

/** The runs started by the end of this one, and why others were not started. */
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

interface NoticeProps {
  tone: "waiting" | "failed" | "plain";
  action?: string;
  onAction?: () => void;
  /** Shown before the action. */
  aside?: ReactNode;
  children: ReactNode;
}

/** A sentence about the run below its title, with an action. */
function Notice({ tone, action, onAction, aside, children }: NoticeProps) {
  return (
    <div className={classes.notice} data-tone={tone}>
      <div className={classes.words}>{children}</div>
      {aside}
      {action && (
        <Button size="compact-sm" variant="default" onClick={onAction}>
          {action}
        </Button>
      )}
    </div>
  );
}

/** Where the run may have deviated from its author's intention, with the task concerned. */
function RunWarnings() {
  const { run, tasks, choose } = useRunView();
  const { warnings = [], warningCount } = run;
  if (warnings.length === 0) return null;
  const open = (name: string) => {
    choose(tasks.find((one) => one.name === name)?.id ?? name, "details");
  };
  return (
    <section className={classes.notice} data-tone="waiting" aria-label={t("runWarnings.warnings")}>
      <Fold title={countWarnings(warningCount)}>
        <ul className={classes.warnings}>
          {warnings.map((warning, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list has an order and no other identity
            <li key={index}>
              <Warning warning={warning} onOpen={open} />
            </li>
          ))}
        </ul>
        {warningCount > warnings.length && (
          <p className="quiet">{t("runWarnings.more", { warningCount: warningCount - warnings.length })}</p>
        )}
      </Fold>
    </section>
  );
}

function Warning({ warning, onOpen }: { warning: components["schemas"]["RunWarning"]; onOpen: (task: string) => void }) {
  const { task, reference, why } = warning;
  return (
    <>
      {task !== undefined && (
        <button type="button" className={classes.open} onClick={() => onOpen(task)}>
          {task}
        </button>
      )}{" "}
      <code>{reference}</code>: {why}
    </>
  );
}
