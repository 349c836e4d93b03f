import { Table, UnstyledButton } from "@mantine/core";
import { ratedRuns } from "@millrace/contract/workflow-list.ts";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { WorkflowIcon } from "../../components/workflow-icon.tsx";
import { paths } from "../../paths.ts";
import { t } from "../../texts/workflows.ts";
import { TimeText } from "../../ui/time/time-text.tsx";
import type { ListState, SortKey } from "./list-state.ts";
import { ActiveState, LabelMarks, SuccessRate, TriggerMarks } from "./row-parts.tsx";
import { RunStrip } from "./run-strip.tsx";
import type { WorkflowActions } from "./use-workflow-actions.tsx";
import { WorkflowMenu } from "./workflow-menu.tsx";
import type { WorkflowRow } from "./workflow-rows.ts";
import classes from "./workflows.module.css";

interface WorkflowTableProps {
  team: string;
  rows: readonly WorkflowRow[];
  actions: WorkflowActions;
  state: ListState;
  onChange: (change: Partial<ListState>) => void;
}

/** One line a workflow. */
export function WorkflowTable({ team, rows, actions, state, onChange }: WorkflowTableProps) {
  const sorting = { state, onChange };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className={classes.box} aria-label={t("workflowTable.workflows")} tabIndex={0}>
      <Table className={classes.table} verticalSpacing={6} highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <SortHead by="name" {...sorting}>
              {t("workflowTable.name")}
            </SortHead>
            <Table.Th>{t("workflowTable.status")}</Table.Th>
            <Table.Th>{t("workflowTable.triggers")}</Table.Th>
            <Table.Th>{t("workflowTable.lastRuns")}</Table.Th>
            <SortHead by="rate" hint={t("workflowTable.lastRuns2", { ratedRuns })} {...sorting}>
              {t("workflowTable.success")}
            </SortHead>
            <SortHead by="last" {...sorting}>
              {t("workflowTable.lastRun")}
            </SortHead>
            <Table.Th>
              <span className="only-heard">{t("workflowTable.actions")}</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <WorkflowLine
              key={row.id}
              team={team}
              row={row}
              actions={actions}
              onLabel={(label) => onChange({ labels: [label], page: 1 })}
            />
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

interface WorkflowLineProps {
  team: string;
  row: WorkflowRow;
  actions: WorkflowActions;
  onLabel: (label: string) => void;
}

function WorkflowLine({ team, row, actions, onLabel }: WorkflowLineProps) {
  return (
    <Table.Tr>
      <Table.Td>
        <span className={classes.title}>
          <WorkflowIcon name={row.workflow.icon} />
          <span>
            <Link to={paths.workflow(team, row.name)} className={classes.name}>
              {row.title}
            </Link>
            <LabelMarks labels={row.labels} onChoose={onLabel} />
          </span>
        </span>
      </Table.Td>
      <Table.Td>
        <ActiveState isActive={row.isActive} />
      </Table.Td>
      <Table.Td>
        <TriggerMarks kinds={row.triggers} />
      </Table.Td>
      <Table.Td>
        <RunStrip team={team} runs={row.runs} of={row.title} />
      </Table.Td>
      <Table.Td>
        <SuccessRate rate={row.successRate} />
      </Table.Td>
      <Table.Td style={{ whiteSpace: "nowrap" }}>
        <TimeText at={row.lastRun} />
      </Table.Td>
      <Table.Td ta="right">
        <WorkflowMenu team={team} row={row} actions={actions} />
      </Table.Td>
    </Table.Tr>
  );
}

interface SortHeadProps {
  by: SortKey;
  /** What the column says, where its name leaves it open. */
  hint?: string;
  state: ListState;
  onChange: (change: Partial<ListState>) => void;
  children: string;
}

/** A column that can be sorted by; again turns it round. */
function SortHead({ by, hint, state, onChange, children }: SortHeadProps) {
  const isChosen = state.sort === by;
  const Arrow = state.desc ? IconArrowDown : IconArrowUp;
  const press = () => onChange({ page: 1, ...(isChosen ? { desc: !state.desc } : { sort: by, desc: by === "last" }) });
  return (
    <Table.Th aria-sort={isChosen ? (state.desc ? "descending" : "ascending") : "none"}>
      <UnstyledButton fz="inherit" fw="inherit" title={hint} onClick={press} className={classes.sort}>
        {children}
        {isChosen && <Arrow size={14} aria-hidden />}
      </UnstyledButton>
    </Table.Th>
  );
}
