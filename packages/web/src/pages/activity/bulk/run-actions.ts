import { cancelRun, rerunRun, retryRun } from "../../../api/queries/run/activity.ts";
import { shortId } from "../../../components/run-words.ts";
import { t } from "../../../texts/run/activity.ts";

export type RunAction = "cancel" | "retry" | "rerun";

interface ActionWords {
  verb: string;
  title: string;
  what: string;
  onEach: (team: string, runId: string) => Promise<string>;
}

const again = (run: { id: string }) => t("runsActionDialog.rerun", { shortId: shortId(run.id) });

/** The actions that can be performed on several runs at once. */
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
