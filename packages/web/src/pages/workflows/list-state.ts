import type { SortKey } from "./workflow-rows.ts";

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
