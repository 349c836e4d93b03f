import { Checkbox, SegmentedControl, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { workflowNamesQuery } from "../../api/queries/run/activity.ts";
import { t } from "../../texts/actions.ts";
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
        aria-label={t("inboxFilters.whichActions")}
        size="xs"
        value={state.show}
        onChange={(show) => onChange({ show })}
        data={[
          { value: "open", label: t("inboxFilters.open") },
          { value: "decided", label: t("inboxFilters.decided") },
          { value: "all", label: t("inboxFilters.all") },
        ]}
      />
      <Select
        aria-label={t("inboxFilters.type")}
        placeholder={t("inboxFilters.anyTypePlaceholder")}
        size="xs"
        className={classes.filter ?? ""}
        clearable
        data={[
          { value: "approval", label: t("inboxFilters.approvals") },
          { value: "manual", label: t("inboxFilters.manualTasks") },
        ]}
        value={state.type || null}
        onChange={(type) => onChange({ type: type ?? "" })}
      />
      <Select
        aria-label={t("inboxFilters.workflow")}
        placeholder={t("inboxFilters.anyWorkflowPlaceholder")}
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
        aria-label={t("inboxFilters.order")}
        size="xs"
        className={classes.filter ?? ""}
        allowDeselect={false}
        data={[
          { value: "newest", label: t("inboxFilters.newestFirst") },
          { value: "oldest", label: t("inboxFilters.oldestFirst") },
          { value: "deadline", label: t("inboxFilters.nearestDeadline") },
        ]}
        value={state.sort}
        onChange={(sort) => onChange({ sort: sort ?? "newest" })}
      />
      <Checkbox
        label={t("inboxFilters.assignedMe")}
        size="xs"
        disabled={isOver}
        checked={!isOver && state.mine}
        onChange={(event) => onChange({ mine: event.currentTarget.checked })}
      />
      <Checkbox
        label={t("inboxFilters.overdue")}
        size="xs"
        disabled={isOver}
        checked={!isOver && state.overdue}
        onChange={(event) => onChange({ overdue: event.currentTarget.checked })}
      />
    </>
  );
}
