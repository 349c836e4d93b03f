import { Group, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./page-header.module.css";
import { useTabTitle } from "./tab-title.ts";

export interface PageHeaderProps {
  title: string;
  /** What the browser's tab says instead of the title: with the state, or the part of the thing that is shown. */
  tab?: string | undefined;
  /** Beside the title: a status, a version. */
  state?: ReactNode;
  /** Below it, one quiet line. */
  detail?: ReactNode;
  /** At the right top: the main action last. */
  children?: ReactNode;
}

/** Title, state and main action: at the same place on every page. The only `h1` of the page, and the title of the browser's tab. */
export function PageHeader({ title, tab, state, detail, children }: PageHeaderProps) {
  useTabTitle(tab ?? title);
  return (
    <Group component="header" justify="space-between" align="flex-start" gap="sm" px="md" py="sm" wrap="wrap">
      <Stack gap={0} className={classes.words ?? ""}>
        <Group gap="xs">
          <Title order={1}>{title}</Title>
          {state}
        </Group>
        {detail && (
          <Text component="div" size="sm" className="quiet">
            {detail}
          </Text>
        )}
      </Stack>
      <Group gap="xs">{children}</Group>
    </Group>
  );
}
