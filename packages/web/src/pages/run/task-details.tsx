import { Anchor } from "@mantine/core";
import { type Status, statuses } from "@millrace/contract/status.ts";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { runHeadQuery } from "../../api/queries/run/runs.ts";
import type { TaskRun, TaskRunAttempt } from "../../api/queries/task/task-catalog.ts";
import { workflowQuery } from "../../api/queries/workflow/workflows.ts";
import { hasFailed, itemCounts } from "../../components/run-graph/run-graph-model.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { paths } from "../../paths.ts";
import { sentenceOf } from "../../texts/language.ts";
import { t } from "../../texts/run/run.ts";
import { StatusMark } from "../../ui/mark/status-mark.tsx";
import { durationText } from "../../ui/time/time-format.ts";
import { TimeText } from "../../ui/time/time-text.tsx";
import classes from "./panel.module.css";
import { Fact, useRunView } from "./run-context.tsx";
import { RunLink } from "./run-link.tsx";
import { TaskValues } from "./task-values.tsx";

/** Each attempt: how it ended, where it ran, and what it waited for. */
function TaskAttempts({ task }: { task: TaskRun }) {
  const attempts = task.attempts ?? [];
  if (attempts.length === 0) return null;
  return (
    <>
      <h3>{t("taskAttempts.attemptAttempts", { count: attempts.length })}</h3>
      {attempts.toReversed().map((attempt) => (
        <Attempt key={attempt.attempt} attempt={attempt} isOnly={attempts.length === 1} />
      ))}
    </>
  );
}

function Attempt({ attempt, isOnly }: { attempt: TaskRunAttempt; isOnly: boolean }) {
  const { startTime, endTime, images = [] } = attempt;
  const took = startTime === undefined ? undefined : new Date(endTime).getTime() - new Date(startTime).getTime();
  return (
    <dl className={classes.facts}>
      <Fact name={isOnly ? t("taskAttempts.outcome") : t("taskAttempts.attempt", { attempt: String(attempt.attempt) })}>
        <AttemptStatus status={attempt.status} /> {attempt.reason !== "Succeeded" && attempt.reason}
      </Fact>
      <Fact name={t("taskAttempts.reason")}>
        {attempt.status !== "succeeded" && attempt.statusMessage && sentenceOf(attempt.statusMessage)}
      </Fact>
      <Fact name={t("taskAttempts.exitCode")}>{attempt.exitCode}</Fact>
      <Fact name={t("taskAttempts.signal")}>{attempt.signal}</Fact>
      <Fact name={t("taskAttempts.time")}>
        {startTime && (
          <>
            <TimeText at={startTime} isExact />
            {took !== undefined && `, ${durationText(took)}`}
          </>
        )}
      </Fact>
      <Fact name={t("taskAttempts.waited")}>{waitsText(attempt.waits)}</Fact>
      <Fact name={t("taskAttempts.executor")}>{attempt.executor && [attempt.executor, attempt.isolation].filter(Boolean).join(", ")}</Fact>
      <Fact name={t("taskAttempts.machine")}>{attempt.host}</Fact>
      <Fact name={t("taskAttempts.node")}>{attempt.node}</Fact>
      <Fact name={attempt.executor === "kubernetes" ? t("taskAttempts.pod") : t("taskAttempts.container")}>
        {attempt.unit && <code>{attempt.unit}</code>}
      </Fact>
      {images.map(({ step, image, digest }) => (
        <Fact key={step} name={t("taskAttempts.imageImage", { count: images.length, step })}>
          <code>{image}</code> {digest && <code className="quiet">{digest}</code>}
        </Fact>
      ))}
    </dl>
  );
}

/** Only attempts can have the status `lost`. */
function AttemptStatus({ status }: { status: TaskRunAttempt["status"] }) {
  if (status === "lost") return <strong>{t("taskAttempts.lost")}</strong>;
  return <StatusMark status={status as Status} />;
}

const waitWords = {
  queue: t("taskAttempts.waitQueue"),
  quota: t("taskAttempts.waitQuota"),
  scheduling: t("taskAttempts.waitScheduling"),
  imagePull: t("taskAttempts.waitImagepull"),
  start: t("taskAttempts.waitStart"),
} as const;

function waitsText(waits: TaskRunAttempt["waits"]): string | undefined {
  if (waits === undefined) return undefined;
  const kinds = Object.keys(waitWords) as (keyof typeof waitWords)[];
  const parts = kinds.flatMap((kind) => (waits[kind] === undefined ? [] : [`${durationText(waits[kind])} ${waitWords[kind]}`]));
  return parts.join(", ");
}

/** The name of the executor; `image` stands for either of two executors. */
const executorText = (needs: string | undefined) => (needs === "image" ? t("taskDetails.anyImage") : needs);

/** The parameters and results of a task run, and where and how it ran. */
export function TaskDetails({ task }: { task: TaskRun }) {
  const { team } = useRunView();
  const begun = task.startedRunRef ?? begunRun(task);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must be reachable by keyboard
    <section className={classes.details} tabIndex={0} aria-label={t("taskDetails.details", { name: task.name })}>
      <TaskItems task={task} />
      <TaskValues title={t("taskDetails.results")} values={useTypedResults(task)} none={t("taskDetails.noResults")} />
      <TaskValues title={t("taskDetails.parameters")} values={task.params} none={t("taskDetails.noParameters")} foldsEmpty />
      <TaskAttempts task={task} />
      <h3>{t("taskDetails.detailsTitle")}</h3>
      <dl className={classes.facts}>
        <Fact name={t("taskDetails.task")}>
          <TaskLink task={task} />
        </Fact>
        <Fact name={t("taskDetails.started")}>{task.startTime && <TimeText at={task.startTime} isExact />}</Fact>
        <Fact name={t("taskDetails.runStarted")}>{begun !== undefined && <RunLink team={team} id={begun} />}</Fact>
        <Fact name={t("taskDetails.valueSwitch")}>
          {task.decisionValue !== undefined && <code>{JSON.stringify(task.decisionValue)}</code>}
        </Fact>
        <Fact name={t("taskDetails.timeout")}>
          {task.timeout !== undefined && t("taskDetails.minPerAttempt", { timeout: task.timeout })}
        </Fact>
        <Fact name={t("taskDetails.runs")}>{task.runsOn?.join(", ")}</Fact>
        {/* The environment of each attempt is shown with the attempt. */}
        <Fact name={t("taskDetails.executor")}>{!task.attempts?.some(({ executor }) => executor) && executorText(task.needs)}</Fact>
        <Fact name={t("taskDetails.workspaces")}>{task.workspaces.map(({ name }) => name).join(", ")}</Fact>
        <Fact name="ID">
          <code>{task.id}</code>
        </Fact>
      </dl>
      {(task.warnings ?? []).map(({ reference, why }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two parameters may contain the same reference
        <p key={index} className={classes.warning}>
          <code>{reference}</code>: {why}
        </p>
      ))}
    </section>
  );
}

/** For a task that has run another workflow: the results as that workflow's version declares them, including those without a value. */
function useTypedResults(task: TaskRun): readonly { name: string; value?: unknown; type?: string | null | undefined }[] {
  const { team } = useRunView();
  const begun = begunRun(task);
  const { data: run } = useQuery({ ...runHeadQuery(team, begun ?? ""), enabled: begun !== undefined, retry: false });
  const { workflowName = "", workflowVersion } = run ?? {};
  const { data: called } = useQuery({ ...workflowQuery(team, workflowName, workflowVersion), enabled: run !== undefined, retry: false });
  const declared = called?.data.results ?? [];
  const known = new Map(declared.map((result) => [result.name, result]));
  const missing = declared.filter(({ name }) => !task.results.some((result) => result.name === name));
  return [
    ...task.results.map((result) => ({ ...result, type: known.get(result.name)?.type })),
    ...missing.map(({ name, type }) => ({ name, type })),
  ];
}

/** The run that the task started, taken from its result. */
function begunRun({ type, results }: TaskRun): string | undefined {
  const id = type === "runworkflow" ? results.find(({ name }) => name === "workflowRunRef")?.value : undefined;
  return typeof id === "string" && id !== "" ? id : undefined;
}

function TaskLink({ task }: { task: TaskRun }) {
  const { team } = useRunView();
  if (task.taskName === undefined) return t("taskDetails.builtIn");
  const link = (
    <Anchor component={Link} to={paths.teamTask(team, task.taskName)} inherit>
      {task.taskName}
    </Anchor>
  );
  return task.taskVersion === undefined ? link : t.rich("taskDetails.taskVersion", { task: () => link, version: String(task.taskVersion) });
}

/** Links a forEach to its items, and a loop to its rounds. */
function TaskItems({ task }: { task: TaskRun }) {
  const { byName } = useRunView();
  const [, setAddress] = useSearchState({ view: "graph", find: "", status: "" });
  // A task run that was loaded on its own has no counts.
  const counts = itemCounts(byName.get(task.name) ?? task);
  if (task.item !== undefined || counts === undefined) return null;
  const open = (status: Status | undefined) => setAddress({ view: "list", find: `${task.name}[`, status: status ?? "" });
  const wayTo = (status: Status | undefined) => (chunks: ReactNode) => (
    <button type="button" className={classes.link} onClick={() => open(status)}>
      {chunks}
    </button>
  );
  const failed = statuses.find((status) => hasFailed(status) && byName.get(task.name)?.items?.statuses[status]);
  return (
    <p className={classes.items}>
      {counts.maxRounds === undefined
        ? t.rich("taskDetails.itemsFinishedFailedShow", {
            over: counts.over,
            all: counts.all,
            failed: counts.failed,
            button: wayTo(undefined),
          })
        : t.rich("taskDetails.roundsShow", { count: counts.all, max: counts.maxRounds, button: wayTo(undefined) })}
      {failed && <> {t.rich("taskDetails.showFailed", { button: wayTo(failed) })}</>}
    </p>
  );
}
