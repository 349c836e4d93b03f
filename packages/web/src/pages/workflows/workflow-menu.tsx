import { ActionIcon, Group, Menu, Tooltip } from "@mantine/core";
import { IconDots, IconPlayerPlay, IconStar, IconStarFilled } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useCaller, useRights } from "../../hooks/use-caller.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/workflow/workflows.ts";
import { ActionItem } from "../../ui/dialog/action-item.tsx";
import type { WorkflowActions } from "./use-workflow-actions.tsx";
import type { WorkflowRow } from "./workflow-rows.ts";

interface WorkflowMenuProps {
  team: string;
  row: WorkflowRow;
  actions: WorkflowActions;
}

/** Runs the workflow at once; all other actions are in the menu. */
export function WorkflowMenu({ team, row, actions }: WorkflowMenuProps) {
  const rights = useRights(team);
  const caller = useCaller();
  const frozen = row.isArchived ? t("workflowMenu.workflowArchivedRestoreFirst") : undefined;
  const write = rights.whyNot("workflow/write") ?? frozen;
  const run = rights.whyNot("workflow/action") ?? frozen ?? (row.isActive ? undefined : t("workflowMenu.workflowInactiveActivateFirst"));
  const file = `/api/v2/team/${encodeURIComponent(team)}/workflow/${encodeURIComponent(row.name)}/export`;
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      {caller.userId !== null && <Star row={row} onClick={() => actions.mark(row)} />}
      <RunIcon title={row.title} whyNot={run} onClick={() => actions.run(row)} />
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t("workflowMenu.moreActions", { title: row.title })}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <ActionItem whyNot={run} onClick={() => actions.run(row)}>
            {t("workflowMenu.run")}
          </ActionItem>
          <Menu.Item component={Link} to={paths.workflow(team, row.name, "design")}>
            {t("workflowMenu.openDesigner")}
          </Menu.Item>
          <Menu.Item component={Link} to={paths.workflowConfigure(team, row.name)}>
            {t("workflowMenu.configure")}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item component="a" href={file} download={`${row.name}.json`}>
            {t("workflowMenu.exportFile")}
          </Menu.Item>
          <ActionItem whyNot={rights.whyNot("workflow/write")} onClick={() => actions.duplicate(row)}>
            {t("workflowMenu.duplicate")}
          </ActionItem>
          <ActionItem whyNot={write} onClick={() => actions.toggle(row)}>
            {row.isActive ? t("workflowMenu.deactivate") : t("workflowMenu.activate")}
          </ActionItem>
          <Menu.Divider />
          <ActionItem whyNot={rights.whyNot("workflow/delete")} onClick={() => actions.archive(row)}>
            {row.isArchived ? t("workflowMenu.restore") : t("workflowMenu.archive")}
          </ActionItem>
          <ActionItem c="var(--status-failed)" whyNot={rights.whyNot("workflow/delete")} onClick={() => actions.remove(row)}>
            {t("workflowMenu.delete")}
          </ActionItem>
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}

/** A favourite of this user only: it needs no permission beyond seeing the workflow. */
function Star({ row, onClick }: { row: WorkflowRow; onClick: () => void }) {
  const Icon = row.isFavourite ? IconStarFilled : IconStar;
  const label = t(row.isFavourite ? "workflowMenu.unmark" : "workflowMenu.mark", { title: row.title });
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={label} title={label} onClick={onClick}>
      <Icon size={16} />
    </ActionIcon>
  );
}

function RunIcon({ title, whyNot, onClick }: { title: string; whyNot: string | undefined; onClick: () => void }) {
  const off = whyNot !== undefined && { "data-disabled": true, "aria-disabled": true, "aria-description": whyNot };
  return (
    <Tooltip label={whyNot ?? t("workflowMenu.run")} multiline maw={320} events={{ hover: true, focus: true, touch: true }}>
      <ActionIcon
        variant="subtle"
        aria-label={t("workflowMenu.run2", { title })}
        {...off}
        onClick={() => whyNot === undefined && onClick()}
      >
        <IconPlayerPlay size={16} />
      </ActionIcon>
    </Tooltip>
  );
}
