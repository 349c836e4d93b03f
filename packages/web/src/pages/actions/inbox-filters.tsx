import { Checkbox, SegmentedControl, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { workflowNamesQuery } from "../../api/queries/activity.ts";
import classes from "./actions.module.css";
import type { InboxState } from "./actions-filter.ts";

interface InboxFiltersProps {
  team: string;
  state: InboxState;
  onChange: (change: Partial<InboxState>) => void;
}

/** Which actions are shown, and in which order. */
export function InboxFilters({ team, state, onChange }: InboxFiltersProps) {
  const names = useQuery(workflowNamesQuery(team)).data ?? [];
  const isOver = state.show === "decided";
  return (
    <>
      <SegmentedControl
        aria-label="Which actions"
        size="xs"
        value={state.show}
        onChange={(show) => onChange({ show })}
        data={[
          { value: "open", label: "Open" },
          { value: "decided", label: "Decided" },
          { value: "all", label: "All" },
        ]}
      />
      <Select
        aria-label="Type"
        placeholder="Any type"
        size="xs"
        className={classes.filter ?? ""}
        clearable
        data={[
          { value: "approval", label: "Approvals" },
          { value: "manual", label: "Manual tasks" },
        ]}
        value={state.type || null}
        onChange={(type) => onChange({ type: type ?? "" })}
      />
      <Select
        aria-label="Workflow"
        placeholder="Any workflow"
        size="xs"
        className={classes.filter ?? ""}
        clearable
        searchable
        data-list-filter
        data={names.map(({ name, displayName }) => ({ value: name, label: displayName }))}
        value={state.workflow || null}
        onChange={(workflow) => onChange({ workflow: workflow ?? "" })}
      />
      <Select
        aria-label="Order"
        size="xs"
        className={classes.filter ?? ""}
        allowDeselect={false}
        data={[
          { value: "newest", label: "Newest first" },
          { value: "oldest", label: "Oldest first" },
          { value: "deadline", label: "Nearest deadline" },
        ]}
        value={state.sort}
        onChange={(sort) => onChange({ sort: sort ?? "newest" })}
      />
      <Checkbox
        label="Assigned to me"
        size="xs"
        disabled={isOver}
        checked={!isOver && state.mine}
        onChange={(event) => onChange({ mine: event.currentTarget.checked })}
      />
      <Checkbox
        label="Overdue"
        size="xs"
        disabled={isOver}
        checked={!isOver && state.overdue}
        onChange={(event) => onChange({ overdue: event.currentTarget.checked })}
      />
    </>
  );
}
