import { Button, Group, Select } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import classes from "./event-filters.module.css";
import { FilterLine } from "./filter-line.tsx";
import { type FilterNode, type GroupHow, innerPath, newGroup, newSql, newText } from "./filter-tree.ts";
import { groupWords } from "./filter-words.ts";

const hows = Object.entries(groupWords).map(([value, label]) => ({ value, label }));

interface FilterGroupProps {
  number: string;
  path: string;
  node: Extract<FilterNode, { kind: "group" }>;
  onChange: (node: FilterNode) => void;
}

/** Filters of which all, any or none must hold. */
export function FilterGroup({ number, path, node, onChange }: FilterGroupProps) {
  return (
    <fieldset className={classes.group} aria-label={`Group ${number}`}>
      <div className={classes.groupHead}>
        <Select
          aria-label={`How many of group ${number}`}
          size="xs"
          w={104}
          data={hows}
          value={node.how}
          allowDeselect={false}
          onChange={(how) => how && onChange({ ...node, how: how as GroupHow })}
        />
        <span>{node.how === "none" ? "these may hold" : "these must hold"}</span>
      </div>
      <FilterList
        number={`${number}.`}
        nodes={node.nodes}
        pathOf={(index) => innerPath(node, path, index)}
        onChange={(nodes) => onChange({ ...node, nodes })}
      />
    </fieldset>
  );
}

interface FilterListProps {
  /** Before the number of each: empty, or `2.`. */
  number: string;
  nodes: readonly FilterNode[];
  pathOf: (index: number) => string;
  onChange: (nodes: FilterNode[]) => void;
}

/** Filters below each other, and what can be added to them. */
export function FilterList({ number, nodes, pathOf, onChange }: FilterListProps) {
  return (
    <>
      {nodes.length > 0 && (
        <ul className={classes.list}>
          {nodes.map((node, index) => (
            <FilterLine
              key={node.key}
              number={`${number}${index + 1}`}
              path={pathOf(index)}
              node={node}
              onChange={(next) => onChange(nodes.map((other) => (other.key === next.key ? next : other)))}
              onRemove={() => onChange(nodes.filter((other) => other.key !== node.key))}
            />
          ))}
        </ul>
      )}
      <AddButtons where={number === "" ? "" : ` to group ${number.slice(0, -1)}`} onAdd={(node) => onChange([...nodes, node])} />
    </>
  );
}

function AddButtons({ where, onAdd }: { where: string; onAdd: (node: FilterNode) => void }) {
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
