import { ApiError } from "@millrace/client/api-error.ts";
import { useQueries, useQuery } from "@tanstack/react-query";
import { membersQuery } from "../../api/queries/members.ts";
import { workflowNamesQuery } from "../../api/queries/run/activity.ts";
import { workflowQuery } from "../../api/queries/workflow/workflows.ts";
import { useCaller } from "../../hooks/use-caller.ts";
import { t } from "../../texts/run/activity.ts";
import type { ActivityState } from "./activity-filter.ts";

/** Looks up the display names of the workflows and people in the filter. */
export function useFilterNames(team: string, { workflows, who }: ActivityState) {
  const { data: names = [] } = useQuery({ ...workflowNamesQuery(team), enabled: workflows.length > 0 });
  const gone = useGoneWorkflows(team, workflows);
  const starter = useStarterName(team, who);
  return (kind: "workflow" | "who", value: string): string => {
    if (kind === "who") return starter;
    const lost = gone.find(({ name }) => name === value);
    if (lost !== undefined) return t(lost.isArchived ? "filterChips.archived" : "filterChips.deleted", { name: lost.displayName });
    return names.find(({ name }) => name === value)?.displayName ?? value;
  };
}

interface GoneWorkflow {
  name: string;
  displayName: string;
  /** Otherwise there is none of this name: it was deleted, or the address is wrong. */
  isArchived: boolean;
}

/** An address that someone else has made must not cause any number of requests. */
const mostAsked = 10;

/**
 * The workflows of a filter that the team's list doesn't have. A saved view or a bookmark keeps the name of a workflow that was deleted or
 * archived since.
 */
export function useGoneWorkflows(team: string, workflows: readonly string[]): GoneWorkflow[] {
  const { data: names } = useQuery({ ...workflowNamesQuery(team), enabled: workflows.length > 0 });
  const missing = names === undefined ? [] : workflows.filter((name) => name !== "" && !names.some((one) => one.name === name));
  const unlisted = missing.slice(0, mostAsked);
  const found = useQueries({ queries: unlisted.map((name) => workflowQuery(team, name)) });
  return found.flatMap(({ data, error }, index): GoneWorkflow[] => {
    const name = unlisted[index] ?? "";
    if (error instanceof ApiError && error.status === 404) return [{ name, displayName: name, isArchived: false }];
    const isArchived = data?.data.archiveDate !== undefined && data.data.archiveDate !== null;
    return isArchived ? [{ name, displayName: data.data.displayName || name, isArchived }] : [];
  });
}

/** The name of the user who started the shown runs, as far as it is known. */
export function useStarterName(team: string, who: string): string {
  const caller = useCaller();
  const userId = who.startsWith("user:") && who !== caller.id ? who.slice("user:".length) : undefined;
  const { data: named } = useQuery({ ...membersQuery(team, { ids: [userId ?? ""], limit: 1 }), enabled: userId !== undefined });
  const [member] = named?.content ?? [];
  if (who === caller.id) return t("activityFilters.me");
  return (member?.id === userId ? member?.name || member?.email : undefined) ?? who;
}
