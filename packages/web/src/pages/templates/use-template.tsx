import { Button, Menu } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useTeamsAllowing } from "../../hooks/use-team.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/workflow/templates.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { PlaceLink } from "../../ui/page-header.tsx";

/** Links to the page that creates a workflow from the template, for a team in which the caller may do so. */
export function UseTemplate({ name, isSmall = false }: { name: string; isSmall?: boolean }) {
  const { teams, total } = useTeamsAllowing("workflow/write");
  const look = { size: isSmall ? "compact-sm" : "xs", variant: "default" } as const;
  if (teams.length === 0)
    return (
      <ActionButton {...look} whyNot={t("template.needsPermissionWorkflowWrite")}>
        {t("template.useTeam")}
      </ActionButton>
    );
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          {...look}
          rightSection={<IconChevronDown size={14} />}
          aria-label={isSmall ? t("template.useTeamAction", { name }) : t("template.useTeam")}
        >
          {t("template.useTeam")}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={320} style={{ overflowY: "auto" }}>
        {teams.map((team) => (
          <Menu.Item
            key={team.name}
            component={PlaceLink}
            to={paths.workflowCreate(team.name)}
            search={{ from: "template", template: name }}
          >
            {team.displayName || team.name}
          </Menu.Item>
        ))}
        {total > teams.length && <Menu.Label maw={280}>{t("template.onlyFirstTeamsShown", { count: teams.length, total })}</Menu.Label>}
      </Menu.Dropdown>
    </Menu>
  );
}
