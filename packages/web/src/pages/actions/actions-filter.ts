import type { ActionsFilter } from "../../api/queries/actions.ts";

/** The state of the inbox as the URL stores it. */
export const inboxDefaults = { show: "open", type: "", sort: "newest", mine: false, overdue: false, workflow: "", page: 0 };

export type InboxState = typeof inboxDefaults;

const shown: Readonly<Record<string, Pick<ActionsFilter, "statuses">>> = {
  open: { statuses: ["submitted"] },
  decided: { statuses: ["approved", "rejected", "cancelled"] },
  all: {},
};

const orders: Readonly<Record<string, Pick<ActionsFilter, "sort" | "order">>> = {
  newest: { sort: "creationDate", order: "DESC" },
  oldest: { sort: "creationDate", order: "ASC" },
  deadline: { sort: "deadline", order: "ASC" },
};

/** Only open actions can be overdue or assigned to the caller, so those filters are ignored for other states. */
export function toActionsFilter({ show, type, sort, mine, overdue, workflow }: InboxState): ActionsFilter {
  const { sort: by, order } = { ...(orders["newest"] as Pick<ActionsFilter, "sort" | "order">), ...orders[sort] };
  return {
    ...(shown[show] ?? shown["open"]),
    ...((type === "approval" || type === "manual") && { types: [type] }),
    ...(workflow !== "" && { workflows: [String(workflow)] }),
    ...(show !== "decided" && mine === true && { mine: true }),
    ...(show !== "decided" && overdue === true && { overdue: true }),
    sort: by,
    order,
  };
}
