import { cleanup, screen, within } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, test } from "vitest";
import { callerQuery } from "../../api/queries/identity/session.ts";
import { workflowLabelsQuery, workflowListQuery } from "../../api/queries/workflow/workflows.ts";
import { showPage } from "../../ui/show-component.tsx";
import { type ListState, listDefaults } from "./use-creation.ts";
import type { WorkflowActions } from "./use-workflow-actions.tsx";
import { toGroups, WorkflowGroups } from "./workflow-groups.tsx";
import { WorkflowTable } from "./workflow-table.tsx";

afterEach(cleanup);

const labels = {
  total: 130,
  labels: [
    {
      key: "area",
      workflows: 120,
      valueCount: 2,
      values: ["money", ""].map((value, index) => ({ value, workflows: index === 0 ? 70 : 50 })),
    },
    { key: "stage", workflows: 1, valueCount: 1, values: [{ value: "live", workflows: 1 }] },
  ],
};
const filter = { statuses: [], labels: [], search: "" };
const order = { sortBy: "lastRun", isDescending: true, limit: 50 } as const;
const page = (names: string[], totalElements = names.length) => ({
  ...{ content: names.map((name) => ({ id: name, name })), totalElements, totalPages: Math.ceil(totalElements / 50) },
});
const money = { ...filter, withoutLabel: undefined, labels: ["area=money"] };
const known = [
  [callerQuery.queryKey, { id: "user:1", userId: "1", kind: "session", permissions: [], teams: [] }],
  [workflowLabelsQuery("hawks", filter).queryKey, labels],
  [workflowListQuery("hawks", { ...money, ...order, page: 0 }).queryKey, page(["invoices"], 70)],
  [workflowListQuery("hawks", { ...money, ...order, page: 1 }).queryKey, page(["refunds"], 70)],
  [workflowListQuery("hawks", { ...filter, withoutLabel: "area", ...order, page: 0 }).queryKey, page(["stray"])],
] as const;

const none = () => {};
const actions: WorkflowActions = {
  ...{ run: none, duplicate: none, toggle: none, archive: none, mark: none, remove: none, dialogs: null },
};

let state: ListState;

function Held({ initial }: { initial: Partial<ListState> }) {
  const [held, setHeld] = useState<ListState>({ ...listDefaults, group: "area", ...initial });
  state = held;
  const change = (next: Partial<ListState>) => setHeld({ ...held, ...next });
  return (
    <WorkflowGroups team="hawks" filter={filter} state={held} onChange={change} onClear={none} actions={actions} list={WorkflowTable} />
  );
}

const heads = () =>
  within(screen.getByRole("region", { name: "Workflows by area" }))
    .getAllByRole("button", { expanded: false })
    .map(({ textContent }) => textContent);

test("each value of the label is a folded group with its count, and those without the label come last", async () => {
  await showPage(<Held initial={{}} />, known);
  expect(heads()).toEqual(["money70 workflows", "(empty)50 workflows", "No area10 workflows"]);
  expect(screen.queryByRole("table")).toBeNull();
});

test("the address keeps which groups are expanded, and their workflows are loaded in pages", async () => {
  const { user } = await showPage(<Held initial={{ unfolded: ["-"] }} />, known);
  screen.getByRole("link", { name: "stray" });
  await user.click(screen.getByRole("button", { name: /^money/ }));
  expect(state.unfolded).toEqual(["-", "=money"]);
  const group = within(screen.getByRole("region", { name: "money" }));
  group.getByRole("link", { name: "invoices" });
  await user.click(screen.getByRole("button", { name: "Page 2" }));
  within(screen.getByRole("region", { name: "money" })).getByRole("link", { name: "refunds" });
  await user.click(screen.getByRole("button", { name: "Collapse all" }));
  expect([state.unfolded, screen.queryByRole("table")]).toEqual([[], null]);
});

test("an unused label gives a single group, and an empty value differs from a missing one", () => {
  expect(toGroups(labels, "stage").map(({ id, count }) => [id, count])).toEqual([
    ["=live", 1],
    ["-", 129],
  ]);
  expect(toGroups(labels, "owner")).toMatchObject([{ id: "-", title: "No owner", count: 130 }]);
  expect(toGroups({ total: 0, labels: [] }, "owner")).toEqual([]);
});
