import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./run.module.css";

interface NoticeProps {
  tone: "waiting" | "failed" | "plain";
  action?: string;
  onAction?: () => void;
  children: ReactNode;
}

/** One sentence about the run below its title, with what can be done about it. */
export function Notice({ tone, action, onAction, children }: NoticeProps) {
  return (
    <div className={classes.notice} data-tone={tone}>
      <div className={classes.words}>{children}</div>
      {action && (
        <Button size="compact-sm" variant="default" onClick={onAction}>
          {action}
        </Button>
      )}
    </div>
  );
}
