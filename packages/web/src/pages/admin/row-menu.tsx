import { ActionIcon, Menu, Text } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { t } from "../../texts/settings/administration.ts";

export interface RowAction {
  label: string;
  onClick: () => void;
  /** Why the action isn't possible; undefined when it is. */
  whyNot?: string | undefined;
  isDangerous?: boolean;
}

/**
 * The actions for the object of a row. Actions that aren't possible stay in the menu, with the reason below them.
 * @param of the name of the object, for screen readers
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
