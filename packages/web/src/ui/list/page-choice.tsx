import { Group, Pagination, Text } from "@mantine/core";

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
        {`${(page * size + 1).toLocaleString()}–${last.toLocaleString()} of ${total.toLocaleString()}`}
      </Text>
      {pages > 1 && (
        <Pagination
          size="sm"
          total={pages}
          value={page + 1}
          onChange={(chosen) => onChange(chosen - 1)}
          getControlProps={(control) => ({ "aria-label": `${control} page` })}
          getItemProps={(item) => ({ "aria-label": `Page ${item}` })}
        />
      )}
    </Group>
  );
}
