import { Anchor, Group, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { activityQuery, cancelRun, type Run, type RunsFilter, rerunRun, retryRun } from "../../api/queries/activity.ts";
import { BulkDialog } from "../../components/bulk/bulk-dialog.tsx";
import { shortId } from "../../components/run-words.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { t } from "../../texts/activity.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import type { Selection } from "../../ui/table/use-selection.ts";
import classes from "./activity.module.css";

type RunAction = "cancel" | "retry" | "rerun";

interface ActionWords {
  verb: string;
  title: string;
  what: string;
  onEach: (team: string, runId: string) => Promise<string>;
}

const again = (run: { id: string }) => t("runsActionDialog.rerun", { shortId: shortId(run.id) });

/** What can be done to many runs at once. */
const runActions: Readonly<Record<RunAction, ActionWords>> = {
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
function RunsActionDialog({ team, action, runs, onClose }: RunsActionDialogProps) {
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

/** No more are taken at once: each is a request of its own. */
const mostAtOnce = 200;

interface BulkBarProps {
  team: string;
  selection: Selection<Run>;
  filter: RunsFilter;
  /** Those of the page. */
  runs: readonly Run[];
  /** Over all pages. */
  total: number;
}

/** What can be done with the chosen runs, and the way to choose all that match. */
export function BulkBar({ team, selection, filter, runs, total }: BulkBarProps) {
  const [action, setAction] = useState<RunAction>();
  const rights = useRights(team);
  const count = selection.chosen.length;
  const whyNot = rights.whyNot("workflowrun/action") ?? (count === 0 ? t("bulkBar.selectRunsFirstTick") : undefined);
  const close = (done: readonly string[]) => {
    selection.remove(done);
    setAction(undefined);
  };
  return (
    <Group className={classes.bulk} gap="xs" px="md">
      <Text size="sm" className={count === 0 ? "quiet" : ""} role="status">
        {count === 0 ? t("bulkBar.nothingSelected") : t("bulkBar.selected", { count })}
      </Text>
      {(Object.keys(runActions) as RunAction[]).map((one) => (
        <ActionButton key={one} size="compact-sm" variant="default" whyNot={whyNot} onClick={() => setAction(one)}>
          {runActions[one].verb}
        </ActionButton>
      ))}
      {count > 0 && <AllMatching team={team} selection={selection} filter={filter} runs={runs} total={total} />}
      {action !== undefined && <RunsActionDialog team={team} action={action} runs={selection.chosen} onClose={close} />}
    </Group>
  );
}

function AllMatching({ team, selection, filter, runs, total }: BulkBarProps) {
  const client = useQueryClient();
  const most = Math.min(total, mostAtOnce);
  const choose = async () => selection.add((await client.fetchQuery(activityQuery(team, filter, { page: 0, limit: mostAtOnce }))).content);
  return (
    <>
      {total > runs.length && selection.chosen.length < most && (
        <Anchor component="button" size="sm" onClick={() => void choose()}>
          {total > mostAtOnce ? t("bulkBar.selectNewestMatch", { mostAtOnce }) : t("bulkBar.selectAllMatch", { total })}
        </Anchor>
      )}
      <Anchor component="button" size="sm" onClick={selection.clear}>
        {t("bulkBar.clearSelection")}
      </Anchor>
    </>
  );
}
