import { Stack, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { t } from "../../texts/ui.ts";
import { StateMark } from "../mark/state-mark.tsx";
import classes from "./notice.module.css";

interface NoticeProps {
  title: string;
  tone?: "warning" | "info";
  children?: ReactNode;
}

/** Something to know before one continues, in the flow of the page. */
export function Notice({ title, tone = "warning", children }: NoticeProps) {
  return (
    <section className={classes.notice} data-tone={tone} aria-label={title}>
      <div className={classes.title}>{title}</div>
      {children}
    </section>
  );
}

/** Replaces an empty list: what would be here, and the action that creates the first. */
export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Stack align="center" gap="xs" py="xl" px="md" ta="center" style={{ "--prose": "480px" }}>
      <Title order={2}>{title}</Title>
      {children}
    </Stack>
  );
}

/** The number of warnings about an object; renders nothing if there are none. */
export function WarningMark({ count }: { count: number }) {
  return count > 0 && <StateMark tone="wait" word={countWarnings(count)} />;
}

export function countWarnings(count: number): string {
  return t("warningMark.warningWarnings", { count });
}
