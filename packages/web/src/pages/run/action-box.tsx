import { Group, Text, Textarea } from "@mantine/core";
import type { components } from "@millrace/client/schema.generated.ts";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "../../api/api-error.ts";
import { api, call } from "../../api/client.ts";
import { teamQuery } from "../../api/queries/session.ts";
import type { TaskRun } from "../../api/queries/task-catalog.ts";
import { starterId } from "../../components/run-words.ts";
import { useCaller, useRights } from "../../hooks/use-caller.ts";
import { useApiMutation } from "../../hooks/use-renew.ts";
import { t } from "../../texts/run.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { Markdown } from "../../ui/markdown.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";
import classes from "./panel.module.css";
import { useRunView, whyNoVote } from "./run-context.tsx";

type Action = components["schemas"]["Action"];

/** The action of a task run: its result names it once it is decided; before, it is among the open ones of its workflow. */
const actionOfTaskQuery = (team: string, task: TaskRun) =>
  queryOptions({
    queryKey: ["action", team, "of-task", task.id, task.status],
    queryFn: async (): Promise<Action | null> => {
      const decided = task.results.find(({ name }) => name === "actionRef")?.value;
      if (typeof decided === "string")
        return call(api.GET("/api/v2/team/{team}/action/{actionId}", { params: { path: { team, actionId: decided } } }));
      const query = {
        workflows: [task.workflowRef],
        limit: 1_000,
        page: 0,
        ...(task.status === "waiting" && { statuses: ["submitted" as const] }),
      };
      const page = await call(api.GET("/api/v2/team/{team}/action/query", { params: { path: { team }, query } }));
      return page.content.find(({ taskRunRef }) => taskRunRef === task.id) ?? null;
    },
  });

/** What people are asked to decide, what was said so far, and the buttons to decide it here. */
export function ActionBox({ task }: { task: TaskRun }) {
  const { team } = useRunView();
  const { data, error } = useQuery({ ...actionOfTaskQuery(team, task), enabled: task.startTime !== undefined });
  if (error !== null) return <Text className={classes.action ?? ""}>{messageOf(error)}</Text>;
  if (!data) return null;
  return (
    <div className={classes.action}>
      {data.instructions && <Markdown text={data.instructions} />}
      <Votes action={data} />
      {data.status === "submitted" && <Decision action={data} />}
    </div>
  );
}

function Votes({ action }: { action: Action }) {
  return (
    <>
      {action.actioners.map((vote) => (
        <p key={vote.approverId}>
          {t.rich("actionBox.by", {
            strong: () => (
              <strong>
                {vote.approved ? (action.type === "manual" ? t("actionBox.done") : t("actionBox.approved")) : t("actionBox.rejected")}
              </strong>
            ),
            approverName: vote.approverName ?? vote.approverEmail ?? vote.approverId,
            time: () => <TimeText at={vote.date} />,
          })}
          {vote.comments && <>: {vote.comments}</>}
        </p>
      ))}
      {action.status === "submitted" && action.approvalsRequired > 1 && (
        <p className="quiet">
          {t("actionBox.approvalsSoFar", { numberOfApprovals: action.numberOfApprovals, approvalsRequired: action.approvalsRequired })}
        </p>
      )}
      {action.status === "submitted" && action.deadline && (
        <p className="quiet">{t.rich("actionBox.expires", { time: () => <TimeText at={action.deadline} /> })}</p>
      )}
    </>
  );
}

function Decision({ action }: { action: Action }) {
  const { team, run } = useRunView();
  const [comments, setComments] = useState("");
  const caller = useCaller();
  const mayAct = useRights(team).may("action/action");
  const { data } = useQuery(teamQuery(team));
  const vote = useApiMutation({
    changes: ["run", "runs", "action", "actions", "action-summary"],
    team,
    evenRefused: true,
    mutationFn: (approved: boolean) =>
      call(
        api.PUT("/api/v2/team/{team}/action", {
          params: { path: { team } },
          body: [{ id: action.id, approved, ...(comments !== "" && { comments }) }],
        }),
      ),
  });
  const whyNot = whyNoVote(action, caller, { mayAct, groups: data?.approverGroups, initiatedBy: starterId(run) });
  const isManual = action.type === "manual";
  const buttons = [
    { approved: true, label: isManual ? t("actionBox.markDone") : t("actionBox.approve") },
    { approved: false, label: isManual ? t("actionBox.cantDone") : t("actionBox.reject") },
  ];
  return (
    <>
      {whyNot === undefined ? (
        <Textarea
          label={t("actionBox.comment")}
          size="xs"
          autosize
          minRows={2}
          maxRows={6}
          maxLength={10_000}
          value={comments}
          onChange={(event) => setComments(event.currentTarget.value)}
        />
      ) : (
        <p>{whyNot}</p>
      )}
      {vote.error !== null && (
        <Text role="alert" c="var(--status-failed)">
          {messageOf(vote.error)}
        </Text>
      )}
      <Group gap="xs">
        {buttons.map(({ approved, label }) => (
          <ActionButton
            key={label}
            size="xs"
            variant={approved ? "filled" : "default"}
            whyNot={whyNot}
            loading={vote.isPending && vote.variables === approved}
            onClick={() => vote.mutate(approved)}
          >
            {label}
          </ActionButton>
        ))}
      </Group>
    </>
  );
}
