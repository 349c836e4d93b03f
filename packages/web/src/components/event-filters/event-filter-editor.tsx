import { Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { useMemo, useRef, useState } from "react";
import { t } from "../../texts/workflow/triggers.ts";
import { CodeEditor } from "../../ui/code/code-editor.tsx";
import { ProblemList } from "../../ui/state/refusal-alert.tsx";
import { FilterList } from "./filter-list.tsx";
import {
  type FilterFacts,
  FilterFactsContext,
  type FilterNode,
  textOf,
  treeOf,
  useNumberedProblems,
  useProblemsAt,
} from "./filter-tree.ts";

interface EventFilterEditorProps extends FilterFacts {
  /** For screen readers: what the filters belong to. */
  label: string;
  /** A JSON list, or empty. */
  text: string;
  onChange: (text: string) => void;
}

/** Filters in the format of CloudEvents Subscriptions, as a form and as JSON: two views of the same text. */
export function EventFilterEditor({ label, text, onChange, attributes, problems }: EventFilterEditorProps) {
  const [view, setView] = useState("form");
  const facts = useMemo(() => ({ attributes, problems }), [attributes, problems]);
  return (
    <FilterFactsContext.Provider value={facts}>
      <Stack gap="xs">
        <Group justify="space-between" gap="xs">
          <Text size="sm" className="quiet">
            {text.trim() === "" ? t("eventFilterEditor.noFiltersEveryEvent") : t("eventFilterEditor.filtersCheckAttributesEvent")}
          </Text>
          <SegmentedControl
            size="xs"
            aria-label={t("eventFilterEditor.view", { label })}
            data={[
              { value: "form", label: t("eventFilterEditor.form") },
              { value: "json", label: "JSON" },
            ]}
            value={view}
            onChange={setView}
          />
        </Group>
        {view === "form" ? <FormView text={text} onChange={onChange} /> : <JsonView label={label} text={text} onChange={onChange} />}
      </Stack>
    </FilterFactsContext.Provider>
  );
}

type ViewProps = Pick<EventFilterEditorProps, "text" | "onChange">;

function FormView({ text, onChange }: ViewProps) {
  const { nodes, change } = useTree(text, onChange);
  const problems = useProblemsAt([""]);
  if (nodes === undefined) return <ProblemList problems={[t("eventFilterEditor.notJsonListSo")]} />;
  return (
    <>
      <FilterList number="" nodes={nodes} pathOf={(index) => `/${index}`} onChange={change} />
      <ProblemList problems={problems} />
    </>
  );
}

/**
 * The filter tree that the form edits. It is parsed again only if the text was changed elsewhere, so that incomplete groups are kept while
 * the user types.
 */
function useTree(text: string, onChange: (text: string) => void) {
  const [nodes, setNodes] = useState(() => treeOf(text));
  const own = useRef(text);
  if (text !== own.current) {
    own.current = text;
    setNodes(treeOf(text));
  }
  const change = (next: FilterNode[]) => {
    own.current = textOf(next);
    setNodes(next);
    onChange(own.current);
  };
  return { nodes, change };
}

function JsonView({ label, text, onChange }: ViewProps & { label: string }) {
  const problems = useNumberedProblems();
  const isList = useMemo(() => treeOf(text) !== undefined, [text]);
  return (
    <>
      <CodeEditor
        label={label}
        language="json"
        minHeight="80px"
        maxHeight="320px"
        placeholder={'[{ "exact": { "type": "order.placed" } }, { "sql": "EXISTS region" }]'}
        value={text}
        onChange={onChange}
      />
      <ProblemList problems={isList ? problems : [t("eventFilterEditor.notJsonList")]} />
    </>
  );
}
