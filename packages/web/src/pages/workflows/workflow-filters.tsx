import { Group, MultiSelect, SegmentedControl, Select, Text } from "@mantine/core";
import { t } from "../../texts/workflows.ts";
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
        label={t("workflowFilters.searchWorkflows")}
        placeholder={t("workflowFilters.searchWorkflowsPlaceholder")}
        value={String(state.q)}
        onSearch={(q) => onChange({ q, page: 1 })}
      />
      <Select
        aria-label={t("workflowFilters.status")}
        size="xs"
        w={120}
        allowDeselect={false}
        data={[
          { value: "", label: t("workflowFilters.anyStatus") },
          { value: "active", label: t("workflowFilters.active") },
          { value: "inactive", label: t("workflowFilters.inactive") },
        ]}
        value={state.status}
        onChange={(status) => onChange({ status: status ?? "", page: 1 })}
      />
      {labels.length > 0 && (
        <MultiSelect
          aria-label={t("workflowFilters.labels")}
          placeholder={state.labels.length === 0 ? t("workflowFilters.anyLabelPlaceholder") : ""}
          size="xs"
          miw={140}
          searchable
          clearable
          clearButtonProps={{ "aria-label": t("workflowFilters.anyLabelPlaceholder") }}
          data={labels}
          value={state.labels}
          onChange={(chosen) => onChange({ labels: chosen, page: 1 })}
        />
      )}
      <Text size="sm" className="quiet" role="status">
        {t("workflowFilters.found", { found })}
      </Text>
      <SegmentedControl
        aria-label={t("workflowFilters.view")}
        size="xs"
        ml="auto"
        value={state.view}
        onChange={(view) => onChange({ view })}
        data={[
          { value: "table", label: t("workflowFilters.table") },
          { value: "cards", label: t("workflowFilters.cards") },
        ]}
      />
    </Group>
  );
}
