import { Button, type ButtonProps, Tooltip } from "@mantine/core";
import type { MouseEventHandler } from "react";

interface ActionButtonProps extends ButtonProps {
  onClick?: MouseEventHandler<HTMLButtonElement>;
  type?: "button" | "submit";
  /** Why it can't be pressed; undefined: it can. From `rights.whyNot(…)` or from the state of the thing. */
  whyNot?: string | undefined;
}

/**
 * A button that says why it does not work instead of vanishing. It can be reached by keyboard in both states, so that the reason is
 * heard, too.
 */
export function ActionButton({ whyNot, onClick, ...rest }: ActionButtonProps) {
  if (whyNot === undefined) return <Button onClick={onClick} {...rest} />;
  return (
    <Tooltip label={whyNot} multiline maw={320} events={{ hover: true, focus: true, touch: true }}>
      <Button {...rest} type="button" data-disabled aria-disabled onClick={(event) => event.preventDefault()} aria-description={whyNot} />
    </Tooltip>
  );
}
