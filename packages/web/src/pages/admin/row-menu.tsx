import { ActionIcon, Menu, Text } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";

export interface RowDeed {
  label: string;
  onClick: () => void;
  /** Why it can't be done; undefined: it can. */
  whyNot?: string | undefined;
  isDangerous?: boolean;
}

/** What can be done with the thing of a row. What can't be done stays in the menu, with the reason below it. @param of its name, for who does not see the row */
export function RowMenu({ of, deeds }: { of: string; deeds: readonly RowDeed[] }) {
  return (
    <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`More about ${of}`}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {deeds.map((deed) => (
          <Deed key={deed.label} {...deed} />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function Deed({ label, onClick, whyNot, isDangerous = false }: RowDeed) {
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
