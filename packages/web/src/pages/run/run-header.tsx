import { ActionIcon, Anchor, CopyButton, Tooltip } from "@mantine/core";
import { isRunOver } from "@millrace/contract/run/run-rules.ts";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { messageOf } from "../../api/api-error.ts";
import { runExpectationQuery } from "../../api/queries/run/run-expectation.ts";
import type { Run } from "../../api/queries/run/runs.ts";
import { runExpectationWords } from "../../components/expected-words.ts";
import { initiatorText, rerunKind, starterId } from "../../components/run-words.ts";
import { useCaller } from "../../hooks/use-caller.ts";
import { useNow } from "../../hooks/use-now.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/run/run.ts";
import { StatusMark, statusLook, statusSign } from "../../ui/mark/status-mark.tsx";
import { PageHeader, PlaceLink } from "../../ui/page-header.tsx";
import { WarningMark } from "../../ui/state/notice.tsx";
import { durationText } from "../../ui/time/time-format.ts";
import { TimeText } from "../../ui/time/time-text.tsx";
import { CommentsButton } from "./comments/run-comments.tsx";
import { RunOrigin } from "./rerun/task-origin.tsx";
import classes from "./run.module.css";
import { isKeptForever, RunActions, useAction } from "./run-actions.tsx";
import { useRunView } from "./run-context.tsx";
import { RunLink } from "./run-link.tsx";

/** Which run it is, its status, who started it and when, and the actions for it. @param steps the links to neighbouring runs */
export function RunHeader({ steps }: { steps: ReactNode }) {
  const { team, run } = useRunView();
  const action = useAction(team, run);
  const look = [run.status, run.phase, run.waitKinds] as const;
  const title = run.workflowDisplayName || run.workflowName || t("runHeader.run");
  return (
    <>
      <PageHeader
        title={title}
        tab={`${statusSign(...look)} ${title} · ${statusLook(...look).word} · ${run.id.slice(-8)}`}
        state={<StatusMark status={run.status} phase={run.phase} waitKinds={run.waitKinds} />}
        detail={<RunFacts team={team} run={run} />}
      >
        {steps}
        <CommentsButton />
        <RunActions action={action} />
      </PageHeader>
      {action.error !== null && (
        <div className={classes.notices}>
          <p role="alert" className={classes.notice} data-tone="failed">
            {messageOf(action.error)}
          </p>
        </div>
      )}
    </>
  );
}

function RunFacts({ team, run }: { team: string; run: Run }) {
  const { retryOf, parentRunRef } = run;
  return (
    <div className={classes.facts}>
      <Fact>
        <RunId id={run.id} />
      </Fact>
      <Fact>
        <Anchor
          component={PlaceLink}
          to={paths.workflow(team, run.nested?.workflow ?? run.workflowName ?? run.workflowRef, "design")}
          search={run.nested ? { in: run.nested.task } : { version: run.workflowVersion }}
          inherit
        >
          {run.nested ? t("runHeader.nested") : t("runHeader.version", { workflowVersion: String(run.workflowVersion) })}
        </Anchor>
      </Fact>
      <Fact>
        <Trigger run={run} />
      </Fact>
      <Fact>
        <TimeText at={run.startTime ?? run.creationDate} />
      </Fact>
      <Fact>
        <RunDuration run={run} />
      </Fact>
      <Expected team={team} run={run} />
      {run.rerunOf && run.rerunOf.reused > 0 && (
        <Fact>
          <RunOrigin />
        </Fact>
      )}
      {retryOf && !run.rerunOf?.reused && <Fact>{t.rich("runHeader.rerun", { run: () => <RunLink team={team} id={retryOf} /> })}</Fact>}
      {parentRunRef && <Fact>{t.rich("runHeader.startedRun", { run: () => <RunLink team={team} id={parentRunRef} /> })}</Fact>}
      {run.warningCount > 0 && (
        <Fact>
          <WarningMark count={run.warningCount} />
        </Fact>
      )}
      {isKeptForever(run) && <Fact>{t("runHeader.kept")}</Fact>}
      {run.trial && <Fact>{t("runHeader.trial")}</Fact>}
      {run.debug && <Fact>{t("runHeader.debug")}</Fact>}
      {run.phase === "finalized" && <Fact>{t("runHeader.workspacesReleased")}</Fact>}
    </div>
  );
}

/** How long the run should take, where that is known. */
function Expected({ team, run }: { team: string; run: Run }) {
  const nowMs = useNow(isRunOver(run) ? undefined : 60_000);
  const { data } = useQuery(runExpectationQuery(team, run.id, !isRunOver(run)));
  const words = data && runExpectationWords(data, run, nowMs);
  if (!words) return null;
  return <Fact>{data.late ? <span className={classes.late}>{words}</span> : words}</Fact>;
}

function Fact({ children }: { children: ReactNode }) {
  return <span className={classes.fact}>{children}</span>;
}

function RunId({ id }: { id: string }) {
  return (
    <>
      {t.rich("runHeader.runId", {
        code: () => (
          <code title={id} className={classes.id}>
            {id.slice(-8)}
          </code>
        ),
      })}
      <CopyButton value={id}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? t("runHeader.copied") : t("runHeader.copy", { id })}>
            <ActionIcon
              size="sm"
              variant="subtle"
              color="gray"
              aria-label={copied ? t("runHeader.idCopied") : t("runHeader.copyId")}
              onClick={copy}
            >
              {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </>
  );
}

const triggerWords: Record<Run["trigger"], string> = {
  manual: t("runHeader.triggerManual"),
  schedule: t("runHeader.triggerSchedule"),
  webhook: t("runHeader.triggerWebhook"),
  event: t("runHeader.triggerEvent"),
  codehost: t("runHeader.triggerCodehost"),
  workflow: t("runHeader.triggerWorkflow"),
  engine: t("runHeader.triggerEngine"),
  task: t("runHeader.triggerTask"),
};

/** How the run was started, and by whom or what. */
function Trigger({ run }: { run: Run }) {
  const { team } = useRunView();
  const caller = useCaller();
  const { initiatedByType: type, initiatedByRef: ref, trigger } = run;
  const kind = rerunKind(run);
  if (kind === "automatic") return t("runHeader.retriedAutomatically");
  const who = starterId(run) === caller.id ? t("runHeader.you") : initiatorText(run);
  if (kind !== undefined) return t(kind === "bulk" ? "runHeader.rerunBulk" : "runHeader.rerunSingle", { who });
  if (type === "workflow" && ref !== undefined && trigger === "workflow")
    return <>{t.rich("runHeader.startedEndRun", { run: () => <RunLink team={team} id={ref} /> })}</>;
  if (type === "schedule" && trigger === "schedule")
    return t("runHeader.startedSchedule", { name: run.initiatedByName ?? t("runHeader.deleted") });
  if (type !== "user" && type !== "token") return triggerWords[trigger];
  return t("runHeader.by", { how: triggerWords[trigger], who });
}

function RunDuration({ run }: { run: Run }) {
  const isOver = isRunOver(run);
  const now = useNow(isOver || run.startTime === undefined ? undefined : 1_000);
  if (run.startTime === undefined) return isOver ? t("runHeader.neverStarted") : t("runHeader.queued");
  // No task of the run is running.
  const isWaiting = !isOver && (run.waitKinds?.length ?? 0) > 0;
  const ms = isOver ? run.duration : Math.max(0, now - new Date(run.startTime).getTime());
  return (
    <span className={classes.duration}>
      {isWaiting ? t("runHeader.soFar", { duration: durationText(ms) }) : durationWords(isOver, durationText(ms), run.queued ?? 0)}
    </span>
  );
}

/** The time in the queue is shown from one second on. */
function durationWords(isOver: boolean, duration: string, queuedMs: number): string {
  if (queuedMs < 1_000) return t(isOver ? "runHeader.took" : "runHeader.runningFor", { duration });
  const queued = durationText(queuedMs);
  return t(isOver ? "runHeader.tookAfterQueue" : "runHeader.runningForAfterQueue", { duration, queued });
}
