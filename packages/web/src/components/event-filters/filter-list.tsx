import { ActionIcon, Button, Group, Select, Textarea } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { t } from "../../texts/workflow/triggers.ts";
import { ProblemList } from "../../ui/state/refusal-alert.tsx";
import { AttributeFilter } from "./attribute-filter.tsx";
import classes from "./event-filters.module.css";
import { type FilterNode, type GroupHow, groupWords, innerPath, newGroup, newSql, newText, useProblemsAt } from "./filter-tree.ts";

interface FilterListProps {
  /** The prefix of each filter's number: empty, or e.g. `2.`. */
  number: string;
  nodes: readonly FilterNode[];
  pathOf: (index: number) => string;
  onChange: (nodes: FilterNode[]) => void;
}

/** A list of filters, with buttons to add more. */
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
      <AddFilter group={number === "" ? undefined : number.slice(0, -1)} onAdd={(node) => onChange([...nodes, node])} />
    </>
  );
}

interface FilterLineProps {
  number: string;
  path: string;
  node: FilterNode;
  onChange: (node: FilterNode) => void;
  onRemove: () => void;
}

/** One filter of any kind, with its problems and a button to remove it. */
function FilterLine({ number, path, node, onChange, onRemove }: FilterLineProps) {
  const isGroup = node.kind === "group";
  // Problems inside a group are shown at the filters concerned.
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
        aria-label={t(isGroup ? "filterList.removeGroup" : "filterList.removeFilter", { number })}
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
      return <SqlFilter number={number} node={node} onChange={onChange} />;
    case "raw":
      return (
        <div className={classes.kept}>
          {t("filterList.formCantShowFilter", { why: node.why })}
          <pre>{JSON.stringify(node.value)}</pre>
        </div>
      );
  }
}

const hows = Object.entries(groupWords).map(([value, label]) => ({ value, label }));

interface FilterGroupProps {
  number: string;
  path: string;
  node: Extract<FilterNode, { kind: "group" }>;
  onChange: (node: FilterNode) => void;
}

/** A group of filters of which all, any or none must match. */
function FilterGroup({ number, path, node, onChange }: FilterGroupProps) {
  return (
    <fieldset className={classes.group} aria-label={t("filterList.group", { number })}>
      <div className={classes.groupHead}>
        <Select
          aria-label={t("filterList.matchRuleGroup", { number })}
          size="xs"
          w={104}
          data={hows}
          value={node.how}
          allowDeselect={false}
          onChange={(how) => how && onChange({ ...node, how: how as GroupHow })}
        />
        <span>{node.how === "none" ? t("filterList.anyMayMatch") : t("filterList.allMustMatch")}</span>
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

/** @param group the number of the containing group; undefined at the top level */
function AddFilter({ group, onAdd }: { group: string | undefined; onAdd: (node: FilterNode) => void }) {
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

interface SqlFilterProps {
  number: string;
  node: Extract<FilterNode, { kind: "sql" }>;
  onChange: (node: FilterNode) => void;
}

/** A condition in CloudEvents SQL. */
function SqlFilter({ number, node, onChange }: SqlFilterProps) {
  return (
    <Textarea
      aria-label={t("sqlFilter.sqlFilter", { number })}
      size="xs"
      autosize
      minRows={1}
      maxRows={6}
      placeholder={t("sqlFilter.typeLikeOrderExistsPlaceholder")}
      leftSection={<span aria-hidden>{t("sqlFilter.sql")}</span>}
      leftSectionWidth={44}
      styles={{ input: { fontFamily: "var(--font-code)" } }}
      value={node.text}
      onChange={(event) => onChange({ ...node, text: event.currentTarget.value })}
    />
  );
}
