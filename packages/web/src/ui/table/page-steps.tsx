import { ActionIcon, Group, Text } from "@mantine/core";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { t } from "../../texts/ui.ts";

interface PageStepsProps {
  /** From 0. */
  page: number;
  size: number;
  total: number;
  onChange: (page: number) => void;
}

/** Which part of a long list is shown, and the way to the parts beside it. Nothing where all of it is shown. */
export function PageSteps({ page, size, total, onChange }: PageStepsProps) {
  if (total <= size && page === 0) return null;
  const first = page * size + 1;
  const last = Math.min(total, first + size - 1);
  return (
    <Group component="nav" aria-label={t("pageSteps.pages")} gap={4} justify="flex-end">
      <Text size="sm" className="quiet">
        {t("pageSteps.of", { first, last, total })}
      </Text>
      <ActionIcon variant="default" aria-label={t("pageSteps.previousPage")} disabled={page === 0} onClick={() => onChange(page - 1)}>
        <IconChevronLeft size={16} />
      </ActionIcon>
      <ActionIcon variant="default" aria-label={t("pageSteps.nextPage")} disabled={last >= total} onClick={() => onChange(page + 1)}>
        <IconChevronRight size={16} />
      </ActionIcon>
    </Group>
  );
}
