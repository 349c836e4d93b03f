import type { WorkflowSort } from "@millrace/contract/workflow-list.ts";

/** What the address says of the order, and what the service calls it: it sorts over all pages. */
export const sortOf = { name: "name", last: "lastRun", rate: "successRate", created: "creationDate" } as const satisfies Record<
  string,
  WorkflowSort
>;
export type SortKey = keyof typeof sortOf;

/** What of the list is in the address. */
export type ListState = {
  q: string;
  /** Empty: all. */
  status: string;
  /** Each `KEY=VALUE`. */
  labels: string[];
  sort: SortKey;
  desc: boolean;
  view: string;
  page: number;
};

export const listDefaults: ListState = { q: "", status: "", labels: [], sort: "last", desc: true, view: "table", page: 1 };
