import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./tasks.module.css";

interface NoteProps {
  title: string;
  tone?: "warning" | "info";
  /** Whether it stands alone below the tabs. */
  isWide?: boolean;
  children: ReactNode;
}

/** A note that the user should read before continuing. */
export function Note({ title, tone = "warning", isWide = false, children }: NoteProps) {
  return (
    <section className={classes.note} data-tone={tone} data-wide={isWide || undefined} aria-label={title}>
      <Text fw={500}>{title}</Text>
      {children}
    </section>
  );
}
