import { Text } from "@mantine/core";
import { cancelRun, type Run, rerunRun, retryRun } from "../../api/queries/activity.ts";
import { BulkDialog } from "../../components/bulk/bulk-dialog.tsx";
import { shortId } from "../../components/run-words.ts";
import { t } from "../../texts/activity.ts";

export type RunAction = "cancel" | "retry" | "rerun";

interface ActionWords {
  verb: string;
  title: string;
  what: string;
  onEach: (team: string, runId: string) => Promise<string>;
}

const again = (run: { id: string }) => t("runsActionDialog.rerun", { shortId: shortId(run.id) });

/** What can be done to many runs at once. */
export const runActions: Readonly<Record<RunAction, ActionWords>> = {
  retry: {
    verb: t("runsActionDialog.retry"),
    title: t("runsActionDialog.retryRuns"),
    what: t("runsActionDialog.eachRunStartedAgain"),
    onEach: async (team, id) => again(await retryRun(team, id)),
  },
  rerun: {
    verb: t("runsActionDialog.rerunFailed"),
    title: t("runsActionDialog.rerunFailedTasks"),
    what: t("runsActionDialog.eachNewRunReuses"),
    onEach: async (team, id) => again(await rerunRun(team, id)),
  },
  cancel: {
    verb: t("runsActionDialog.cancel"),
    title: t("runsActionDialog.cancelRuns"),
    what: t("runsActionDialog.runningTasksStoppedOpen"),
    onEach: (team, id) => cancelRun(team, id).then(() => "cancelled"),
  },
};

interface RunsActionDialogProps {
  team: string;
  action: RunAction;
  runs: readonly Run[];
  onClose: (done: readonly string[]) => void;
}

/** Does it to each of the runs, and tells the outcome of each. */
export function RunsActionDialog({ team, action, runs, onClose }: RunsActionDialogProps) {
  const { verb, title, what, onEach } = runActions[action];
  return (
    <BulkDialog
      title={title}
      action={t("runsActionDialog.runRuns", { verb, count: runs.length })}
      {...(action === "cancel" && { isDangerous: true, dismiss: t("runsActionDialog.keepRunning") })}
      things={runs.map((run) => ({ id: run.id, name: `${run.workflowDisplayName || run.workflowName} ${shortId(run.id)}` }))}
      onEach={({ id }) => onEach(team, id)}
      touches={["runs", "run", "run-counts", "actions", "action-summary", "task-runs"]}
      team={team}
      onClose={onClose}
    >
      <Text>{what}</Text>
    </BulkDialog>
  );
}
