import { ActionIcon, Anchor, CopyButton, Tooltip } from "@mantine/core";
import { isRunOver } from "@millrace/contract/run-rules.ts";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { messageOf } from "../../api/api-error.ts";
import type { Run } from "../../api/queries/runs.ts";
import { teamQuery } from "../../api/queries/teams.ts";
import { useCaller } from "../../hooks/use-caller.ts";
import { useNow } from "../../hooks/use-now.ts";
import { paths } from "../../paths.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import { StatusMark, statusLook, statusSign } from "../../ui/status-mark.tsx";
import { durationText } from "../../ui/time-format.ts";
import { TimeText } from "../../ui/time-text.tsx";
import classes from "./run.module.css";
import { useRunView } from "./run-context.ts";
import { RunDeeds, useDeed } from "./run-deeds.tsx";

/** Which run it is, how it stands, who began it when, and what can be done. */
export function RunHeader() {
  const { team, run } = useRunView();
  const deed = useDeed(team, run);
  const title = run.workflowDisplayName || run.workflowName || "Run";
  return (
    <>
      <PageHeader
        title={title}
        tab={`${statusSign(run.status)} ${title} · ${statusLook(run.status, run.phase).word} · ${run.id.slice(-8)}`}
        state={<StatusMark status={run.status} phase={run.phase} />}
        detail={<RunFacts team={team} run={run} />}
      >
        <RunDeeds deed={deed} />
      </PageHeader>
      {deed.error !== null && (
        <div className={classes.notices}>
          <p role="alert" className={classes.notice} data-tone="failed">
            {messageOf(deed.error)}
          </p>
        </div>
      )}
    </>
  );
}

function RunFacts({ team, run }: { team: string; run: Run }) {
  return (
    <div className={classes.facts}>
      <Fact>
        <RunId id={run.id} />
      </Fact>
      <Fact>
        <Anchor component={Link} to={paths.workflow(team, run.workflowName ?? run.workflowRef)} inherit>
          Version {run.workflowVersion}
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
      {run.retryOf && (
        <Fact>
          Again from <RunLink team={team} id={run.retryOf} />
        </Fact>
      )}
      {run.parentRunRef && (
        <Fact>
          Begun by run <RunLink team={team} id={run.parentRunRef} />
        </Fact>
      )}
      {run.debug && <Fact>Debug</Fact>}
      {run.phase === "finalized" && <Fact>Finalized</Fact>}
    </div>
  );
}

function Fact({ children }: { children: ReactNode }) {
  return <span className={classes.fact}>{children}</span>;
}

/** A run is named by the end of its id: the begin of it is a time, the same for runs of one day. */
export function RunLink({ team, id }: { team: string; id: string }) {
  return (
    <Anchor component={Link} to={paths.run(team, id)} inherit className="code">
      {id.slice(-8)}
    </Anchor>
  );
}

function RunId({ id }: { id: string }) {
  return (
    <>
      Run{" "}
      <code title={id} className={classes.id}>
        {id.slice(-8)}
      </code>
      <CopyButton value={id}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? "Copied" : `Copy ${id}`}>
            <ActionIcon size="sm" variant="subtle" color="gray" aria-label={copied ? "Copied the id" : "Copy the id"} onClick={copy}>
              {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </>
  );
}

const triggerWords: Record<Run["trigger"], string> = {
  manual: "Started by hand",
  schedule: "Started by a schedule",
  webhook: "Started by a webhook",
  event: "Started by an event",
  codehost: "Started by the code host",
  workflow: "Started after another run",
  engine: "Started over the API",
  task: "Started by a task",
};

/** Who began it: a person of the team by name, else the kind of what did. */
function Trigger({ run }: { run: Run }) {
  const { team } = useRunView();
  const caller = useCaller();
  const { data } = useQuery(teamQuery(team));
  const starter = run.initiatedByRef;
  if (starter === undefined) return triggerWords[run.trigger];
  if (starter.startsWith("run:"))
    return run.trigger === "workflow" ? (
      <>
        Started by the end of run <RunLink team={team} id={starter.slice("run:".length)} />
      </>
    ) : (
      triggerWords[run.trigger]
    );
  const member = data?.members?.find(({ id }) => `user:${id}` === starter);
  const name = starter === caller.id ? "you" : (member?.name ?? member?.email ?? (starter.startsWith("token:") ? "a token" : undefined));
  return name === undefined ? triggerWords[run.trigger] : `${triggerWords[run.trigger]} by ${name}`;
}

function RunDuration({ run }: { run: Run }) {
  const isOver = isRunOver(run);
  const now = useNow(isOver || run.startTime === undefined ? undefined : 1_000);
  if (run.startTime === undefined) return isOver ? "It never began" : "In the queue";
  const ms = isOver ? run.duration : Math.max(0, now - new Date(run.startTime).getTime());
  const queued = run.queued !== undefined && run.queued >= 1_000 ? `, after ${durationText(run.queued)} in the queue` : "";
  return <span className={classes.duration}>{(isOver ? "Took " : "Runs for ") + durationText(ms) + queued}</span>;
}
