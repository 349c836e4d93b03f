import { IconRecycle, IconUserCheck } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { rerunsQuery } from "../../../api/queries/run/reruns.ts";
import type { TaskRun } from "../../../api/queries/task/task-catalog.ts";
import { t } from "../../../texts/run/rerun.ts";
import { StatusMark } from "../../../ui/mark/status-mark.tsx";
import { TimeText } from "../../../ui/time/time-text.tsx";
import { useRunView } from "../run-context.tsx";
import { RunLink } from "../run-link.tsx";
import classes from "./rerun.module.css";

/** The origin of a task run that was reused from another run. */
export function TaskOrigin({ origin }: Pick<TaskRun, "origin">) {
  const { team } = useRunView();
  if (origin === undefined) return null;
  const run = () => <RunLink team={team} id={origin.workflowRunRef} />;
  const { byName = "", reason = "", date } = origin;
  return (
    <p className={classes.origin}>
      <OriginIcon origin={origin} />
      <span>
        {origin.how === "reused"
          ? t.rich("taskOrigin.reused", { run })
          : t.rich("taskOrigin.marked", { name: byName, reason, run, time: () => date && <TimeText at={date} isExact /> })}
      </span>
    </p>
  );
}

function OriginIcon({ origin }: { origin: NonNullable<TaskRun["origin"]> }) {
  return origin.how === "reused" ? <IconRecycle size={16} aria-hidden /> : <IconUserCheck size={16} aria-hidden />;
}

/** The same as an icon with a word, for places with little space. */
export function OriginMark({ origin }: Pick<TaskRun, "origin">) {
  if (origin === undefined) return null;
  const word = origin.how === "reused" ? t("taskOrigin.reusedWord") : t("taskOrigin.markedWord");
  return (
    <span className={`${classes.mark} quiet`} title={word}>
      <OriginIcon origin={origin} /> {word}
    </span>
  );
}

/** For a run that reuses tasks of another run. */
export function RunOrigin() {
  const { team, run } = useRunView();
  const { rerunOf } = run;
  if (rerunOf === undefined || rerunOf.reused === 0) return null;
  return t.rich("runReruns.reuses", { count: rerunOf.reused, run: () => <RunLink team={team} id={rerunOf.workflowRunRef} /> });
}

/** The reruns of this run. */
export function useReruns() {
  const { team, run } = useRunView();
  const { data } = useQuery(rerunsQuery(team, run.id));
  if (data === undefined || data.content.length === 0) return undefined;
  const more = data.totalElements - data.content.length;
  return (
    <>
      {t.rich("runReruns.reruns", {
        runs: () =>
          data.content.map(({ workflowRunRef, status, phase, waitKinds }) => (
            <span key={workflowRunRef} className={classes.rerun}>
              <RunLink team={team} id={workflowRunRef} /> <StatusMark {...{ status, phase, waitKinds }} isOnGround />
            </span>
          )),
      })}
      {more > 0 && ` ${t("runReruns.more", { count: more })}`}
    </>
  );
}
