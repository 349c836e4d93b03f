import { Button, Group } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { type FilterNode, newGroup, newSql, newText } from "./filter-tree.ts";

/** @param where behind the names of the buttons, as others hear them: empty, or ` to group 2` */
export function AddFilter({ where, onAdd }: { where: string; onAdd: (node: FilterNode) => void }) {
  const add = (word: string, label: string, make: () => FilterNode) => (
    <Button
      size="compact-xs"
      variant="default"
      leftSection={<IconPlus size={12} aria-hidden />}
      aria-label={`${label}${where}`}
      onClick={() => onAdd(make())}
    >
      {word}
    </Button>
  );
  return (
    <Group gap="xs">
      {add("Attribute", "Add attribute", newText)}
      {add("Group", "Add group", newGroup)}
      {add("SQL", "Add SQL", newSql)}
    </Group>
  );
}
