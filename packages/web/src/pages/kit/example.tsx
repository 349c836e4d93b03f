import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./kit.module.css";

/** One component in one state, labelled with its name in the code. */
export function Example({ name, isFramed = false, children }: { name: string; isFramed?: boolean; children: ReactNode }) {
  return (
    <div className={classes.example}>
      <Text size="sm" className="quiet">
        {name}
      </Text>
      <div className={isFramed ? classes.frame : undefined}>{children}</div>
    </div>
  );
}
