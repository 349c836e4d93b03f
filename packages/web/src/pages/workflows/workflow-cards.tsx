import { Group, SimpleGrid, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { WorkflowIcon } from "../../components/workflow-icon.tsx";
import { paths } from "../../paths.ts";
import { t } from "../../texts/workflows.ts";
import { TimeText } from "../../ui/time/time-text.tsx";
import { ActiveState, SuccessRate, TriggerMarks } from "./row-parts.tsx";
import { RunStrip } from "./run-strip.tsx";
import type { WorkflowActions } from "./use-workflow-actions.tsx";
import { WorkflowMenu } from "./workflow-menu.tsx";
import type { WorkflowRow } from "./workflow-rows.ts";
import classes from "./workflows.module.css";

interface WorkflowCardsProps {
  team: string;
  rows: readonly WorkflowRow[];
  actions: WorkflowActions;
}

/** The same as the table, with descriptions: for few workflows that are looked at by people who don't know them yet. */
export function WorkflowCards({ team, rows, actions }: WorkflowCardsProps) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3, xl: 4 }} spacing="sm" verticalSpacing="sm">
      {rows.map((row) => (
        <WorkflowCard key={row.id} team={team} row={row} actions={actions} />
      ))}
    </SimpleGrid>
  );
}

function WorkflowCard({ team, row, actions }: { team: string; row: WorkflowRow; actions: WorkflowActions }) {
  return (
    <article className={classes.card}>
      <Group justify="space-between" wrap="nowrap" gap="xs" align="flex-start">
        <span className={classes.title}>
          <WorkflowIcon name={row.workflow.icon} />
          <Link to={paths.workflow(team, row.name)} className={classes.name}>
            {row.title}
          </Link>
        </span>
        <WorkflowMenu team={team} row={row} actions={actions} />
      </Group>
      <Text size="sm" className="quiet" lineClamp={2} flex={1}>
        {row.workflow.description || t("workflowCards.noDescription")}
      </Text>
      <Group gap="md">
        <ActiveState isActive={row.isActive} />
        <TriggerMarks kinds={row.triggers} />
      </Group>
      <RunStrip team={team} runs={row.runs} of={row.title} />
      {row.lastRun !== undefined && (
        <Group gap="xs" className="quiet">
          <span>{t.rich("workflowCards.succeeded", { successRate: () => <SuccessRate rate={row.successRate} /> })}</span>
          <span>{t.rich("workflowCards.lastRun", { time: () => <TimeText at={row.lastRun} /> })}</span>
        </Group>
      )}
    </article>
  );
}
