import { ActionIcon, Menu, Text } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { t } from "../../texts/settings/administration.ts";

export interface RowAction {
  label: string;
  onClick: () => void;
  /** Why it can't be done; undefined: it can. */
  whyNot?: string | undefined;
  isDangerous?: boolean;
}

/**
 * What can be done with the thing of a row. What can't be done stays in the menu, with the reason below it. @param of its name, for
 * who does not see the row
 */
export function RowMenu({ of, actions }: { of: string; actions: readonly RowAction[] }) {
  return (
    <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t("rowMenu.moreActions", { of })}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map((action) => (
          <Action key={action.label} {...action} />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function Action({ label, onClick, whyNot, isDangerous = false }: RowAction) {
  if (whyNot === undefined) {
    return (
      <Menu.Item onClick={onClick} {...(isDangerous && { c: "var(--status-failed)" })}>
        {label}
      </Menu.Item>
    );
  }
  return (
    <Menu.Item aria-disabled closeMenuOnClick={false} maw={320} c="var(--ink-quiet)">
      {label}
      <Text size="xs" inherit={false}>
        {whyNot}
      </Text>
    </Menu.Item>
  );
}
