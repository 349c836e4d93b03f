import { Group, MultiSelect, SegmentedControl, Select, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type WorkflowFilter, workflowLabelsQuery } from "../../api/queries/workflow/workflows.ts";
import { t } from "../../texts/workflow/workflows.ts";
import { SearchField } from "../../ui/list/search-field.tsx";
import type { ListState } from "./use-creation.ts";

/** The labels to choose from are those of all workflows of the team. */
const everything: WorkflowFilter = { statuses: [], labels: [], search: "" };

interface WorkflowFiltersProps {
  team: string;
  state: ListState;
  onChange: (change: Partial<ListState>) => void;
  found: number;
}

/** The filters and the layout of the list, all stored in the URL. */
export function WorkflowFilters({ team, state, onChange, found }: WorkflowFiltersProps) {
  const { data: used } = useQuery(workflowLabelsQuery(team, everything));
  const pairs = (used?.labels ?? []).flatMap(({ key, values }) => values.map(({ value }) => (value === "" ? key : `${key}=${value}`)));
  const labels = [...new Set([...state.labels, ...pairs])].sort();
  const keys = [...new Set([...(state.group === "" ? [] : [String(state.group)]), ...(used?.labels ?? []).map(({ key }) => key)])];
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
          { value: "favourites", label: t("workflowFilters.favourites") },
          { value: "archived", label: t("workflowFilters.archived") },
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
          limit={100}
          clearButtonProps={{ "aria-label": t("workflowFilters.anyLabelPlaceholder") }}
          data={labels}
          value={state.labels}
          onChange={(chosen) => onChange({ labels: chosen, page: 1 })}
        />
      )}
      {keys.length > 0 && (
        <Select
          aria-label={t("workflowGroups.groupBy")}
          size="xs"
          w={150}
          allowDeselect={false}
          searchable={keys.length > 10}
          data={[
            { value: "", label: t("workflowGroups.notGrouped") },
            ...keys.map((key) => ({ value: key, label: t("workflowGroups.byLabel", { key }) })),
          ]}
          value={String(state.group)}
          onChange={(group) => onChange({ group: group ?? "", unfolded: [], page: 1 })}
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
