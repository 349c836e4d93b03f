import { Text } from "@mantine/core";
import { cancelRun, type Run, rerunRun, retryRun } from "../../api/queries/activity.ts";
import { BulkDialog } from "../../components/bulk/bulk-dialog.tsx";
import { shortId } from "../../components/run-words.ts";

export type RunAction = "cancel" | "retry" | "rerun";

interface ActionWords {
  verb: string;
  title: string;
  what: string;
  onEach: (team: string, runId: string) => Promise<string>;
}

const again = (run: { id: string }) => `rerun as ${shortId(run.id)}`;

/** What can be done to many runs at once. */
export const runActions: Readonly<Record<RunAction, ActionWords>> = {
  retry: {
    verb: "Retry",
    title: "Retry runs",
    what: "Each run is started again from the beginning, with the same workflow version and parameters. Runs in progress are skipped.",
    onEach: async (team, id) => again(await retryRun(team, id)),
  },
  rerun: {
    verb: "Rerun from failed",
    title: "Rerun from failed tasks",
    what: "Each new run reuses the tasks that succeeded and runs the others again. Runs without a failed task are skipped.",
    onEach: async (team, id) => again(await rerunRun(team, id)),
  },
  cancel: {
    verb: "Cancel",
    title: "Cancel runs",
    what: "Running tasks are stopped, open approvals closed, and child runs cancelled. Finished runs are skipped.",
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
      action={`${verb} ${runs.length} ${runs.length === 1 ? "run" : "runs"}`}
      {...(action === "cancel" && { isDangerous: true, dismiss: "Keep running" })}
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
