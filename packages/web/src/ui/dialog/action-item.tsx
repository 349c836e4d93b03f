import { Menu, type MenuItemProps, Tooltip } from "@mantine/core";

interface ActionItemProps extends MenuItemProps {
  onClick?: () => void;
  /** Why it is disabled; undefined: it is enabled. */
  whyNot?: string | undefined;
}

/** A menu item that explains why it is disabled instead of disappearing. */
export function ActionItem({ whyNot, onClick, ...rest }: ActionItemProps) {
  if (whyNot === undefined) return <Menu.Item onClick={onClick} {...rest} />;
  return (
    <Tooltip label={whyNot} multiline maw={320} events={{ hover: true, focus: true, touch: true }} position="left">
      <Menu.Item {...rest} closeMenuOnClick={false} data-disabled aria-disabled aria-description={whyNot} />
    </Tooltip>
  );
}
