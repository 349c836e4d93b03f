import { Stack, Title } from "@mantine/core";
import type { ReactNode } from "react";

/** Instead of an empty list: what would be here, and the action that begins it. */
export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Stack align="center" gap="xs" py="xl" px="md" ta="center">
      <Title order={2}>{title}</Title>
      {children}
    </Stack>
  );
}
