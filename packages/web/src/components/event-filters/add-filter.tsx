import { Button, Group } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { t } from "../../texts/triggers.ts";
import { type FilterNode, newGroup, newSql, newText } from "./filter-tree.ts";

/** @param group the number of the group that it stands in; undefined: none */
export function AddFilter({ group, onAdd }: { group: string | undefined; onAdd: (node: FilterNode) => void }) {
  const add = (word: string, label: string, make: () => FilterNode) => (
    <Button
      size="compact-xs"
      variant="default"
      leftSection={<IconPlus size={12} aria-hidden />}
      aria-label={group === undefined ? label : t("addFilter.toGroup", { action: label, group })}
      onClick={() => onAdd(make())}
    >
      {word}
    </Button>
  );
  return (
    <Group gap="xs">
      {add(t("addFilter.attribute"), t("addFilter.addAttribute"), newText)}
      {add(t("addFilter.group"), t("addFilter.addGroup"), newGroup)}
      {add("SQL", t("addFilter.addSql"), newSql)}
    </Group>
  );
}
