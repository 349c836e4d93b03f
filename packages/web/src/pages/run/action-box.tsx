import { Text } from "@mantine/core";
import type { components } from "@millrace/client/schema.generated.ts";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { messageOf } from "../../api/api-error.ts";
import { api, call } from "../../api/client.ts";
import type { TaskRun } from "../../api/queries/task/task-catalog.ts";
import { ActionRequest } from "../../components/actions/action-request.tsx";
import { DecideForm } from "../../components/actions/decide-form.tsx";
import { starterId } from "../../components/run-words.ts";
import { t } from "../../texts/run/run.ts";
import { LoadingState } from "../../ui/state/not-loaded.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";
import classes from "./panel.module.css";
import { useRunView } from "./run-context.tsx";

type Action = components["schemas"]["Action"];

/**
 * Finds the action of a task run: once decided, it is named in the task run's results; before that, it is searched among the open actions
 * of its workflow.
 */
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
        withForms: false,
        ...(task.status === "waiting" && { statuses: ["submitted" as const] }),
      };
      const page = await call(api.GET("/api/v2/team/{team}/action/query", { params: { path: { team }, query } }));
      const open = page.content.find(({ taskRunRef }) => taskRunRef === task.id);
      // Lists contain neither forms nor attachments.
      return open ? call(api.GET("/api/v2/team/{team}/action/{actionId}", { params: { path: { team, actionId: open.id } } })) : null;
    },
  });

/** What people are asked to decide, the comments so far, and the buttons to decide. */
export function ActionBox({ task }: { task: TaskRun }) {
  const { team, run } = useRunView();
  const { data, error } = useQuery({ ...actionOfTaskQuery(team, task), enabled: task.startTime !== undefined });
  if (error !== null) return <Text className={classes.action ?? ""}>{messageOf(error)}</Text>;
  if (!data) return null;
  return (
    <Suspense fallback={<LoadingState rows={4} />}>
      <div className={classes.action}>
        {data.title && <strong>{data.title}</strong>}
        <ActionRequest team={team} action={data} />
        <Votes action={data} />
        {data.status === "submitted" && <DecideForm team={team} action={data} requester={starterId(run)} />}
      </div>
    </Suspense>
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
