import { Button, Menu } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { may } from "../../api/permissions.ts";
import { useCaller } from "../../hooks/use-caller.ts";
import { paths } from "../../paths.ts";
import { DeedButton } from "../../ui/deed-button.tsx";

/** Leads to the page where a team makes a workflow of it: of the teams in which the caller may. */
export function UseTemplate({ name, isSmall = false }: { name: string; isSmall?: boolean }) {
  const caller = useCaller();
  const teams = caller.teams.filter((team) => may(caller, "workflow/write", team.name));
  const look = { size: isSmall ? "compact-sm" : "sm", variant: "default" } as const;
  if (teams.length === 0)
    return (
      <DeedButton {...look} whyNot="You may make workflows in no team. Ask an owner of one.">
        Use in a team
      </DeedButton>
    );
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button {...look} rightSection={<IconChevronDown size={14} />} aria-label={isSmall ? `Use in a team: ${name}` : "Use in a team"}>
          Use in a team
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={320} style={{ overflowY: "auto" }}>
        {teams.map((team) => (
          <Menu.Item key={team.id} component={Link} to={paths.workflowCreate(team.name)} search={{ template: name } as never}>
            {team.displayName || team.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
