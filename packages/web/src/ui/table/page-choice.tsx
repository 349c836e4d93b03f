import { Group, Pagination, Text } from "@mantine/core";

interface PageChoiceProps {
  /** From 0. */
  page: number;
  size: number;
  /** How many things are on this page. */
  shown: number;
  total: number;
  onChange: (page: number) => void;
}

/** Which of how many things are shown, and the way to the other pages. Nothing for an empty list. */
export function PageChoice({ page, size, shown, total, onChange }: PageChoiceProps) {
  const pages = Math.ceil(total / size);
  if (total === 0) return null;
  return (
    <Group justify="space-between" px="md" py="sm">
      <Text size="sm" className="quiet">
        {`${page * size + 1}–${page * size + shown} of ${total.toLocaleString()}`}
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
