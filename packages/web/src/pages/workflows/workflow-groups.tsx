import { Button, Group, Stack, Text, UnstyledButton } from "@mantine/core";
import type { components } from "@millrace/client/schema.generated.ts";
import { IconChevronRight } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type ComponentType, useState } from "react";
import { type WorkflowFilter, workflowLabelsQuery, workflowListQuery } from "../../api/queries/workflow/workflows.ts";
import { t } from "../../texts/workflow/workflows.ts";
import { NothingFound } from "../../ui/list/list-page.tsx";
import { PageChoice } from "../../ui/list/search-field.tsx";
import { NotLoaded } from "../../ui/state/not-loaded.tsx";
import { type ListState, sortOf } from "./use-creation.ts";
import type { WorkflowActions } from "./use-workflow-actions.tsx";
import classes from "./workflow-groups.module.css";
import { toRow, type WorkflowRow } from "./workflow-rows.ts";
import type { WorkflowTableProps } from "./workflow-table.tsx";

type Labels = components["schemas"]["WorkflowLabels"];

/** The workflows with one value of the label, or without the label. */
export interface GroupOfWorkflows {
  /** The group's name in the URL: `=VALUE`, or `-` for workflows without the label. */
  id: string;
  title: string;
  count: number;
  /** The filter that selects them. */
  only: Pick<WorkflowFilter, "withoutLabel"> & { label?: string };
}

/** By value, in the order of the service; workflows without the label come last. */
export function toGroups({ total, labels }: Labels, key: string): GroupOfWorkflows[] {
  const label = labels.find((one) => one.key === key);
  const groups = (label?.values ?? []).map(({ value, workflows }) => ({
    ...{ id: `=${value}`, title: value === "" ? t("workflowGroups.empty") : value, count: workflows },
    only: { label: `${key}=${value}` },
  }));
  const without = total - (label?.workflows ?? 0);
  const rest = { id: "-", title: t("workflowGroups.without", { key }), count: without, only: { withoutLabel: key } };
  return without > 0 ? [...groups, rest] : groups;
}

interface WorkflowGroupsProps {
  team: string;
  filter: WorkflowFilter;
  state: ListState;
  onChange: (change: Partial<ListState>) => void;
  onClear: () => void;
  actions: WorkflowActions;
  /** The component that shows the workflows of a group. */
  list: ComponentType<WorkflowTableProps>;
}

/** Groups hundreds of workflows by the value of a label. Collapsed groups only show their count. The URL stores which are expanded. */
export function WorkflowGroups({ team, filter, state, onChange, onClear, ...shown }: WorkflowGroupsProps) {
  const key = String(state.group);
  const query = useQuery(workflowLabelsQuery(team, filter));
  if (query.data === undefined) return <NotLoaded query={query} label={t("workflowGroups.groups", { key })} />;
  const groups = toGroups(query.data, key);
  const label = query.data.labels.find((one) => one.key === key);
  if (groups.length === 0) return <NothingFound things={t("workflowsPage.workflows2")} search={filter.search} onClear={onClear} />;
  const unfolded = new Set(state.unfolded.map(String));
  const fold = (id: string) => onChange({ unfolded: [...(unfolded.delete(id) ? unfolded : unfolded.add(id))] });
  return (
    <Stack gap={0} component="section" aria-label={t("workflowGroups.groups", { key })}>
      {groups.length > 1 && <FoldAll groups={groups} unfolded={unfolded} onChange={(ids) => onChange({ unfolded: ids })} />}
      {groups.map((group) => (
        <FoldedGroup
          key={group.id}
          team={team}
          group={group}
          filter={filter}
          state={state}
          onChange={onChange}
          isOpen={unfolded.has(group.id)}
          onFold={() => fold(group.id)}
          {...shown}
        />
      ))}
      {label !== undefined && label.valueCount > label.values.length && (
        <Text size="sm" className="quiet" pt="xs">
          {t("workflowGroups.more", { valueCount: label.valueCount, most: label.values.length })}
        </Text>
      )}
    </Stack>
  );
}

/** More expanded groups would make the page unreadable, and each costs a request. */
const mostUnfolded = 20;

interface FoldAllProps {
  groups: readonly GroupOfWorkflows[];
  unfolded: ReadonlySet<string>;
  onChange: (ids: string[]) => void;
}

function FoldAll({ groups, unfolded, onChange }: FoldAllProps) {
  const open = groups.filter(({ id }) => unfolded.has(id)).length;
  const ids = groups.map(({ id }) => id);
  return (
    <Group gap="xs" justify="flex-end">
      {groups.length <= mostUnfolded && (
        <Button size="compact-xs" variant="subtle" disabled={open === groups.length} onClick={() => onChange(ids)}>
          {t("workflowGroups.unfoldAll")}
        </Button>
      )}
      <Button size="compact-xs" variant="subtle" disabled={open === 0} onClick={() => onChange([])}>
        {t("workflowGroups.foldAll")}
      </Button>
    </Group>
  );
}

interface FoldedGroupProps extends Omit<WorkflowGroupsProps, "onClear"> {
  group: GroupOfWorkflows;
  isOpen: boolean;
  onFold: () => void;
}

function FoldedGroup({ group, isOpen, onFold, ...rest }: FoldedGroupProps) {
  return (
    <div className={classes.group}>
      <UnstyledButton className={classes.head} aria-expanded={isOpen} onClick={onFold}>
        <IconChevronRight size={16} aria-hidden className={classes.chevron} />
        <span className={classes.title}>{group.title}</span>
        <span className="quiet">{t("workflowGroups.count", { count: group.count })}</span>
      </UnstyledButton>
      {isOpen && <GroupContent group={group} {...rest} />}
    </div>
  );
}

const pageSize = 50;

function GroupContent({ team, group, filter, state, list: List, ...rest }: Omit<FoldedGroupProps, "isOpen" | "onFold">) {
  const [page, setPage] = useState(0);
  const { label, ...only } = group.only;
  const labels = label === undefined ? filter.labels : [...new Set([...filter.labels, label])];
  const order = { sortBy: sortOf[state.sort] ?? sortOf.last, isDescending: state.desc };
  const query = useQuery(workflowListQuery(team, { ...filter, ...only, labels, ...order, page, limit: pageSize }));
  if (query.data === undefined || query.isPlaceholderData)
    return <NotLoaded query={query} label={t("workflowGroups.loading", { group: group.title })} rows={Math.min(group.count, 5)} />;
  const { content, totalElements, totalPages } = query.data;
  return (
    <Stack gap="xs" pb="sm">
      <List
        team={team}
        rows={content.map((workflow) => withoutLabel(toRow(workflow), label))}
        state={state}
        label={group.title}
        {...rest}
      />
      {totalPages > 1 && <PageChoice page={page} size={pageSize} total={totalElements} onChange={setPage} />}
    </Stack>
  );
}

/** Removes the label that the title of the group already shows. */
function withoutLabel(row: WorkflowRow, label: string | undefined): WorkflowRow {
  return { ...row, labels: row.labels.filter((one) => one !== label && `${one}=` !== label) };
}
