import { Group, Pagination, Text } from "@mantine/core";
import { t } from "../../texts/ui.ts";

export interface PageChoiceProps {
  /** From 0. */
  page: number;
  size: number;
  total: number;
  onChange: (page: number) => void;
}

/** Which of how many things are shown, and the way to the other pages. Nothing for an empty list. */
export function PageChoice({ page, size, total, onChange }: PageChoiceProps) {
  const pages = Math.ceil(total / size);
  if (total === 0) return null;
  const last = Math.min(total, (page + 1) * size);
  return (
    <Group justify="space-between" gap="xs">
      <Text size="sm" className="quiet">
        {t("pageChoice.of", { page: page * size + 1, last, total })}
      </Text>
      {pages > 1 && (
        <Pagination
          size="sm"
          total={pages}
          value={page + 1}
          onChange={(chosen) => onChange(chosen - 1)}
          getControlProps={(control) => ({ "aria-label": t("pageChoice.page", { control }) })}
          getItemProps={(item) => ({ "aria-label": t("pageChoice.pageAriaLabel", { item }) })}
        />
      )}
    </Group>
  );
}
