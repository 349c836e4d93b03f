import { Anchor, Group, Text } from "@mantine/core";
import { useState } from "react";
import type { Run, RunsFilter } from "../../api/queries/run/activity.ts";
import { BulkDialog } from "../../components/bulk/bulk-dialog.tsx";
import { shortId } from "../../components/run-words.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { t } from "../../texts/run/activity.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import type { Selection } from "../../ui/table/use-selection.ts";
import classes from "./activity.module.css";
import { BulkFilterDialog } from "./bulk/bulk-filter-dialog.tsx";
import { type RunAction, runActions } from "./bulk/run-actions.ts";

interface RunsActionDialogProps {
  team: string;
  action: RunAction;
  runs: readonly Run[];
  onClose: (done: readonly string[]) => void;
}

/** Performs the action on each of the runs and shows the outcome of each. */
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

interface BulkBarProps {
  team: string;
  selection: Selection<Run>;
  filter: RunsFilter;
  /** The filter in words, one line each. */
  filterWords: readonly string[];
  /** Over all pages; undefined while that is not known yet. */
  total: number | undefined;
  /** More match than `total` says. */
  isMinimum: boolean;
}

/** For `allOf` of a selection. */
export function keyOfFilter(filter: RunsFilter): string {
  return JSON.stringify(filter);
}

/** What can be done with the ticked runs, or with all that match the filter. */
export function BulkBar({ team, selection, filter, filterWords, total: known, isMinimum }: BulkBarProps) {
  const total = known ?? 0;
  const [action, setAction] = useState<RunAction>();
  const key = keyOfFilter(filter);
  const isAll = selection.allOf === key;
  const rights = useRights(team);
  const count = selection.chosen.length;
  const isNothing = count === 0 && !isAll;
  const isEmpty = isNothing && known === 0 && action === undefined;
  const whyNot = rights.whyNot("workflowrun/action") ?? (isNothing ? t("bulkBar.selectRunsFirstTick") : undefined);
  const close = (done: readonly string[]) => {
    selection.remove(done);
    setAction(undefined);
  };
  // If the dialog is closed without starting anything, the selection is kept.
  const closeAll = (isStarted: boolean) => {
    if (isStarted) selection.clear();
    setAction(undefined);
  };
  if (isEmpty) return null;
  return (
    <Group className={classes.bulk} gap="xs" px="md">
      <Text size="sm" className={isNothing ? "quiet" : ""} role="status">
        {isAll ? t("bulkBar.allSelected", { total }) : isNothing ? t("bulkBar.nothingSelected") : t("bulkBar.selected", { count })}
      </Text>
      {(Object.keys(runActions) as RunAction[]).map((one) => (
        <ActionButton key={one} size="compact-sm" variant="default" whyNot={whyNot} onClick={() => setAction(one)}>
          {runActions[one].verb}
        </ActionButton>
      ))}
      {!isAll && total > 0 && (count < total || isMinimum) && (
        <Anchor component="button" size="sm" onClick={() => selection.setAllOf(key)}>
          {t(isMinimum ? "bulkBar.selectAllMany" : "bulkBar.selectAllMatch", { total })}
        </Anchor>
      )}
      {!isNothing && (
        <Anchor component="button" size="sm" onClick={selection.clear}>
          {t("bulkBar.clearSelection")}
        </Anchor>
      )}
      {action !== undefined && !isAll && <RunsActionDialog team={team} action={action} runs={selection.chosen} onClose={close} />}
      {action !== undefined && isAll && (
        <BulkFilterDialog {...{ team, action, filter, filterWords, total, isMinimum }} words={runActions[action]} onClose={closeAll} />
      )}
    </Group>
  );
}
