import type { Status } from "@millrace/contract/status.ts";
import type { TaskRun, TaskRunAttempt } from "../../api/queries/task-runs.ts";
import { t } from "../../texts/run.ts";
import { StatusMark } from "../../ui/mark/status-mark.tsx";
import { durationText } from "../../ui/time/time-format.ts";
import { TimeText } from "../../ui/time/time-text.tsx";
import { Fact } from "./fact.tsx";
import classes from "./panel.module.css";

/** Each try: how it ended, where it ran, and what it waited for. */
export function TaskAttempts({ task }: { task: TaskRun }) {
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
      <Fact name={t("taskAttempts.reason")}>{attempt.status !== "succeeded" && attempt.statusMessage}</Fact>
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

/** `lost` is a word of attempts only. */
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
