import { ActionIcon, Group, Menu, Tooltip } from "@mantine/core";
import { IconDots, IconPlayerPlay } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useRights } from "../../hooks/use-caller.ts";
import { paths } from "../../paths.ts";
import { DeedItem } from "../../ui/deed-item.tsx";
import type { WorkflowDeeds } from "./use-workflow-deeds.tsx";
import type { WorkflowRow } from "./workflow-rows.ts";

interface WorkflowMenuProps {
  team: string;
  row: WorkflowRow;
  deeds: WorkflowDeeds;
}

/** Run at once, and everything else behind the dots. */
export function WorkflowMenu({ team, row, deeds }: WorkflowMenuProps) {
  const rights = useRights(team);
  const write = rights.whyNot("workflow/write");
  const run = rights.whyNot("workflow/action") ?? (row.isActive ? undefined : "The workflow is inactive. Activate it first.");
  const file = `/api/v2/team/${encodeURIComponent(team)}/workflow/${encodeURIComponent(row.name)}/export`;
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      <RunIcon title={row.title} whyNot={run} onClick={() => deeds.run(row)} />
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`More for ${row.title}`}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <DeedItem whyNot={run} onClick={() => deeds.run(row)}>
            Run
          </DeedItem>
          <Menu.Item component={Link} to={paths.workflow(team, row.name)}>
            Open in the designer
          </Menu.Item>
          <Menu.Item component={Link} to={paths.workflowConfigure(team, row.name)}>
            Configure
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item component="a" href={file} download={`${row.name}.json`}>
            Export as a file
          </Menu.Item>
          <DeedItem whyNot={write} onClick={() => deeds.duplicate(row)}>
            Duplicate
          </DeedItem>
          <DeedItem whyNot={write} onClick={() => deeds.toggle(row)}>
            {row.isActive ? "Deactivate" : "Activate"}
          </DeedItem>
          <Menu.Divider />
          <DeedItem c="var(--status-failed)" whyNot={rights.whyNot("workflow/delete")} onClick={() => deeds.remove(row)}>
            Delete
          </DeedItem>
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}

function RunIcon({ title, whyNot, onClick }: { title: string; whyNot: string | undefined; onClick: () => void }) {
  const off = whyNot !== undefined && { "data-disabled": true, "aria-disabled": true, "aria-description": whyNot };
  return (
    <Tooltip label={whyNot ?? "Run"} multiline maw={320} events={{ hover: true, focus: true, touch: true }}>
      <ActionIcon variant="subtle" aria-label={`Run ${title}`} {...off} onClick={() => whyNot === undefined && onClick()}>
        <IconPlayerPlay size={16} />
      </ActionIcon>
    </Tooltip>
  );
}
