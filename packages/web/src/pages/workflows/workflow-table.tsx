import { ratedRuns } from "@millrace/contract/workflow/workflow-list.ts";
import { WorkflowIcon } from "../../components/workflow-icon.tsx";
import { paths } from "../../paths.ts";
import { t } from "../../texts/workflow/workflows.ts";
import { type Column, DataTable } from "../../ui/table/data-table.tsx";
import { RowLink } from "../../ui/table/scroll-box.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";
import { ActiveState, LabelMarks, RunStrip, SuccessRate, TriggerMarks } from "./row-parts.tsx";
import type { ListState, SortKey } from "./use-creation.ts";
import type { WorkflowActions } from "./use-workflow-actions.tsx";
import { WorkflowMenu } from "./workflow-menu.tsx";
import type { WorkflowRow } from "./workflow-rows.ts";
import classes from "./workflows.module.css";

export interface WorkflowTableProps {
  team: string;
  rows: readonly WorkflowRow[];
  actions: WorkflowActions;
  state: ListState;
  onChange: (change: Partial<ListState>) => void;
  /** What the table lists; left out: all workflows. */
  label?: string;
}

/** One row per workflow. The service sorts, over all pages. */
export function WorkflowTable({ team, rows, actions, state, onChange, label }: WorkflowTableProps) {
  return (
    <DataTable
      label={label ?? t("workflowTable.workflows")}
      minWidth={840}
      rows={rows}
      keyOf={({ id }) => id}
      sorting={{
        by: state.sort,
        isDescending: state.desc,
        onSort: (by, desc) => onChange({ page: 1, sort: by as SortKey, desc }),
      }}
      columns={workflowColumns(team, actions, (label) => onChange({ labels: [label], page: 1 }))}
    />
  );
}

function workflowColumns(team: string, actions: WorkflowActions, onLabel: (label: string) => void): Column<WorkflowRow>[] {
  return [
    {
      title: t("workflowTable.name"),
      sortBy: "name",
      cell: ({ name, title, labels, workflow }) => (
        <span className={classes.title}>
          <WorkflowIcon name={workflow.icon} />
          <span>
            <RowLink to={paths.workflow(team, name)}>{title}</RowLink>
            <LabelMarks labels={labels} onChoose={onLabel} />
          </span>
        </span>
      ),
    },
    { title: t("workflowTable.status"), kind: "short", cell: ({ isActive }) => <ActiveState isActive={isActive} /> },
    { title: t("workflowTable.triggers"), cell: ({ triggers }) => <TriggerMarks kinds={triggers} /> },
    { title: t("workflowTable.lastRuns"), cell: ({ runs, title }) => <RunStrip team={team} runs={runs} of={title} /> },
    {
      title: t("workflowTable.success"),
      sortBy: "rate",
      hint: t("workflowTable.lastRuns2", { ratedRuns }),
      cell: ({ succeeded, rated }) => <SuccessRate succeeded={succeeded} rated={rated} />,
    },
    {
      title: t("workflowTable.lastRun"),
      kind: "short",
      sortBy: "last",
      sortsDownFirst: true,
      cell: ({ lastRun }) => <TimeText at={lastRun} />,
    },
    { title: t("workflowTable.actions"), kind: "actions", cell: (row) => <WorkflowMenu team={team} row={row} actions={actions} /> },
  ];
}
