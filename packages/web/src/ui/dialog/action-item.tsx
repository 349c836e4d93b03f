import { Menu, type MenuItemProps, Tooltip } from "@mantine/core";

interface ActionItemProps extends MenuItemProps {
  onClick?: () => void;
  /** Why it can't be chosen; undefined: it can. */
  whyNot?: string | undefined;
}

/** An entry of a menu that says why it does not work instead of vanishing. */
export function ActionItem({ whyNot, onClick, ...rest }: ActionItemProps) {
  if (whyNot === undefined) return <Menu.Item onClick={onClick} {...rest} />;
  return (
    <Tooltip label={whyNot} multiline maw={320} events={{ hover: true, focus: true, touch: true }} position="left">
      <Menu.Item {...rest} closeMenuOnClick={false} data-disabled aria-disabled aria-description={whyNot} />
    </Tooltip>
  );
}
