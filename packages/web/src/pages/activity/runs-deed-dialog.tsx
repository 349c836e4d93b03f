import { Text } from "@mantine/core";
import { cancelRun, type Run, rerunRun, retryRun } from "../../api/queries/activity.ts";
import { BulkDialog } from "../../components/bulk/bulk-dialog.tsx";
import { shortId } from "../../components/run-words.ts";

export type RunDeed = "cancel" | "retry" | "rerun";

interface DeedWords {
  verb: string;
  title: string;
  what: string;
  onEach: (team: string, runId: string) => Promise<string>;
}

const again = (run: { id: string }) => `goes on as run ${shortId(run.id)}`;

/** What can be done to many runs at once. */
export const runDeeds: Readonly<Record<RunDeed, DeedWords>> = {
  retry: {
    verb: "Retry",
    title: "Retry runs",
    what: "Each becomes a new run with the same content and parameters, from the beginning. Runs that are not over are refused.",
    onEach: async (team, id) => again(await retryRun(team, id)),
  },
  rerun: {
    verb: "Rerun from failed",
    title: "Rerun runs from their failed tasks",
    what: "Each becomes a new run that takes over what succeeded and does the rest. Runs without a failed task are refused.",
    onEach: async (team, id) => again(await rerunRun(team, id)),
  },
  cancel: {
    verb: "Cancel",
    title: "Cancel runs",
    what: "Their tasks are ended, their open actions are closed, and the runs that they wait for are cancelled, too. A run that is over is refused.",
    onEach: (team, id) => cancelRun(team, id).then(() => "cancelled"),
  },
};

interface RunsDeedDialogProps {
  team: string;
  deed: RunDeed;
  runs: readonly Run[];
  onClose: (done: readonly string[]) => void;
}

/** Does it to each of the runs, and tells what became of each. */
export function RunsDeedDialog({ team, deed, runs, onClose }: RunsDeedDialogProps) {
  const { verb, title, what, onEach } = runDeeds[deed];
  return (
    <BulkDialog
      title={title}
      deed={`${verb} ${runs.length} ${runs.length === 1 ? "run" : "runs"}`}
      isDangerous={deed === "cancel"}
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
