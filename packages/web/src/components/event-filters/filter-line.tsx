import { ActionIcon, Textarea } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { ProblemList } from "../../ui/problem-list.tsx";
import { AttributeFilter } from "./attribute-filter.tsx";
import classes from "./event-filters.module.css";
import { useProblemsAt } from "./filter-facts.ts";
import { FilterGroup } from "./filter-group.tsx";
import type { FilterNode } from "./filter-tree.ts";

interface FilterLineProps {
  number: string;
  path: string;
  node: FilterNode;
  onChange: (node: FilterNode) => void;
  onRemove: () => void;
}

/** One filter of any kind, what is wrong with it, and the way to be rid of it. */
export function FilterLine({ number, path, node, onChange, onRemove }: FilterLineProps) {
  const isGroup = node.kind === "group";
  // What is wrong inside of a group stands at the filters in it.
  const problems = useProblemsAt(isGroup ? [path, ...["all", "any", "not", "not/any"].map((word) => `${path}/${word}`)] : [path], !isGroup);
  return (
    <li className={classes.row}>
      <div className={classes.fields}>
        <Content number={number} path={path} node={node} onChange={onChange} />
        <ProblemList problems={problems} />
      </div>
      <ActionIcon
        variant="subtle"
        color="gray"
        mt={isGroup ? 8 : 1}
        aria-label={`Remove ${isGroup ? "group" : "filter"} ${number}`}
        onClick={onRemove}
      >
        <IconTrash size={16} />
      </ActionIcon>
    </li>
  );
}

function Content({ number, path, node, onChange }: Omit<FilterLineProps, "onRemove">) {
  switch (node.kind) {
    case "text":
      return <AttributeFilter number={number} node={node} onChange={onChange} />;
    case "group":
      return <FilterGroup number={number} path={path} node={node} onChange={onChange} />;
    case "sql":
      return (
        <Textarea
          aria-label={`SQL of filter ${number}`}
          size="xs"
          autosize
          minRows={1}
          maxRows={6}
          placeholder="type LIKE 'order.%' AND EXISTS region"
          leftSection={<span aria-hidden>SQL</span>}
          leftSectionWidth={44}
          styles={{ input: { fontFamily: "var(--font-code)" } }}
          value={node.text}
          onChange={(event) => onChange({ ...node, text: event.currentTarget.value })}
        />
      );
    case "raw":
      return (
        <div className={classes.kept}>
          The form can't show this filter, so it is kept as it is; change it in the JSON. {node.why}
          <pre>{JSON.stringify(node.value)}</pre>
        </div>
      );
  }
}
