import { ActionIcon, Tooltip } from "@mantine/core";
import type { ReactNode } from "react";

interface ToolProps {
  name: string;
  icon: ReactNode;
  onClick: () => void;
  /** For a toggle button: whether it is on. */
  isOn?: boolean;
}

/** A small button of a toolbar. */
export function Tool({ name, icon, onClick, isOn }: ToolProps) {
  return (
    <Tooltip label={name}>
      <ActionIcon
        variant={isOn ? "light" : "subtle"}
        {...(!isOn && { color: "gray" })}
        aria-label={name}
        {...(isOn !== undefined && { "aria-pressed": isOn })}
        onClick={onClick}
      >
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}
