import { Group, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { PageChoice, type PageChoiceProps } from "./page-choice.tsx";

interface ListSectionProps {
  /** One quiet line about the list. */
  note?: ReactNode;
  /** At the right: the main action last. */
  actions?: ReactNode;
  filters?: ReactNode;
  pages?: PageChoiceProps | undefined;
  children: ReactNode;
}

/** A list as a part of a page. */
export function ListSection({ note, actions, filters, pages, children }: ListSectionProps) {
  return (
    <Stack gap="sm">
      {(note || actions) && (
        <Group justify="space-between" gap="xs">
          <Text component="div" size="sm" className="quiet">
            {note}
          </Text>
          <Group gap="xs">{actions}</Group>
        </Group>
      )}
      {filters}
      {children}
      {pages && <PageChoice {...pages} />}
    </Stack>
  );
}
