import { Group, MultiSelect, SegmentedControl, Select, Text } from "@mantine/core";
import { SearchField } from "../../ui/list/search-field.tsx";
import type { ListState } from "./list-state.ts";
import type { WorkflowRow } from "./workflow-rows.ts";

interface WorkflowFiltersProps {
  state: ListState;
  onChange: (change: Partial<ListState>) => void;
  rows: readonly WorkflowRow[];
  found: number;
}

/** What is shown, and how: all of it is in the address. */
export function WorkflowFilters({ state, onChange, rows, found }: WorkflowFiltersProps) {
  const labels = [...new Set([...state.labels, ...rows.flatMap((row) => row.labels)])].sort();
  return (
    <Group gap="xs" align="center">
      <SearchField
        label="Search workflows"
        placeholder="Name or description"
        value={String(state.q)}
        onSearch={(q) => onChange({ q, page: 1 })}
      />
      <Select
        aria-label="Status"
        size="xs"
        w={120}
        allowDeselect={false}
        data={[
          { value: "", label: "Any status" },
          { value: "active", label: "Active" },
          { value: "inactive", label: "Inactive" },
        ]}
        value={state.status}
        onChange={(status) => onChange({ status: status ?? "", page: 1 })}
      />
      {labels.length > 0 && (
        <MultiSelect
          aria-label="Labels"
          placeholder={state.labels.length === 0 ? "Any label" : ""}
          size="xs"
          miw={140}
          searchable
          clearable
          clearButtonProps={{ "aria-label": "Any label" }}
          data={labels}
          value={state.labels}
          onChange={(chosen) => onChange({ labels: chosen, page: 1 })}
        />
      )}
      <Text size="sm" className="quiet" role="status">
        {found} {found === 1 ? "workflow" : "workflows"}
      </Text>
      <SegmentedControl
        aria-label="View"
        size="xs"
        ml="auto"
        value={state.view}
        onChange={(view) => onChange({ view })}
        data={[
          { value: "table", label: "Table" },
          { value: "cards", label: "Cards" },
        ]}
      />
    </Group>
  );
}
