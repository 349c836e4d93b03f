import { cleanup, screen, within } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, test } from "vitest";
import { callerQuery } from "../../api/queries/identity/session.ts";
import { membersQuery } from "../../api/queries/members.ts";
import { workflowNamesQuery } from "../../api/queries/run/activity.ts";
import { showPage } from "../../ui/show-component.tsx";
import { type ActivityState, noState } from "./activity-filter.ts";
import { FilterBar } from "./filter-bar.tsx";

afterEach(cleanup);

const ada = { id: "7", name: "Ada", email: "ada@example.com" };
const known = [
  [callerQuery.queryKey, { id: "user:1", userId: "1", kind: "session", permissions: [], teams: [] }],
  [workflowNamesQuery("hawks").queryKey, [{ name: "build", displayName: "Build" }]],
  [membersQuery("hawks", { ids: ["7"], limit: 1 }).queryKey, { content: [ada] }],
  [membersQuery("hawks", { search: "", sort: "name", limit: 50 }).queryKey, { content: [ada] }],
] as const;

/** The state after the last change made by the bar. */
let state: ActivityState;

function Held({ initial }: { initial: Partial<ActivityState> }) {
  const [held, setHeld] = useState<ActivityState>({ ...noState, ...initial });
  state = held;
  return <FilterBar team="hawks" state={held} onChange={(change) => setHeld({ ...held, ...change })} />;
}

const chips = () => within(screen.getByRole("list", { name: "Active filters" })).queryAllByRole("listitem");

test("each filter that is set is a chip with a readable name, and its cross removes only this filter", async () => {
  const { user } = await showPage(<Held initial={{ workflows: ["build"], labels: ["a=b"], who: "user:7", span: "24h" }} />, known);
  expect(chips().map(({ textContent }) => textContent)).toEqual(["Workflow Build", "Label a=b", "Started by Ada", "Created Last 24 hours"]);
  await user.click(screen.getByRole("button", { name: "Remove filter Label: a=b" }));
  expect(state).toMatchObject({ workflows: ["build"], labels: [], who: "user:7", span: "24h" });
});

test("everything is cleared at once, the search too, and the focus goes to the search", async () => {
  const { user } = await showPage(<Held initial={{ q: "A-2345", statuses: ["failed"], triggers: ["manual"] }} />, known);
  await user.click(screen.getByRole("button", { name: "Clear" }));
  expect(state).toEqual(noState);
  expect(chips()).toEqual([]);
  expect(screen.queryByRole("button", { name: "Clear" })).toBeNull();
});

test("the fields open with the button and from a chip, and change the state at once", async () => {
  const { user } = await showPage(<Held initial={{ labels: ["a=b"] }} />, known);
  await user.click(screen.getByRole("button", { name: "Label a=b" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Filter" }));
  await user.type(dialog.getByRole("combobox", { name: "Labels" }), "stage{Enter}");
  dialog.getByText("Write key=value");
  expect(state.labels).toEqual(["a=b", "stage"]);
  await user.keyboard("{Escape}");
});

test("a custom range asks for its dates, and drops them when another period is chosen", async () => {
  const { user } = await showPage(<Held initial={{ span: "custom", from: "2026-03-01T10:00" }} />, known);
  await user.click(screen.getByRole("button", { name: "Filter" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Filter" }));
  dialog.getByLabelText("From");
  await user.click(dialog.getByRole("combobox", { name: "Created" }));
  await user.click(await dialog.findByRole("option", { name: "Last hour" }));
  expect(state).toMatchObject({ span: "1h", from: "", to: "" });
  expect(dialog.queryByLabelText("From")).toBeNull();
});
