import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { callerQuery } from "../../api/queries/identity/session.ts";
import type { Run } from "../../api/queries/run/activity.ts";
import { showPage } from "../../ui/show-component.tsx";
import { everyRow, useSelection } from "../../ui/table/use-selection.ts";
import { BulkBar, keyOfFilter } from "./bulk-bar.tsx";

afterEach(cleanup);

const runs = ["01a2-00000001", "01a2-00000002"].map((id) => ({ id, workflowName: "build" }) as Run);

function Held({ total, isMinimum = false }: { total: number; isMinimum?: boolean }) {
  const selection = useSelection<Run>();
  const shown = selection.allOf === keyOfFilter({}) ? everyRow(selection, runs) : selection;
  return (
    <>
      <button type="button" onClick={() => selection.add(runs)}>
        Add
      </button>
      {runs.map((run) => (
        <input key={run.id} type="checkbox" checked={shown.has(run.id)} onChange={() => shown.toggle(run)} aria-label={run.id} />
      ))}
      <BulkBar team="hawks" selection={selection} filter={{}} filterWords={[]} total={total} isMinimum={isMinimum} />
    </>
  );
}

async function show(total: number, isMinimum?: boolean) {
  const { user } = await showPage(<Held total={total} {...(isMinimum !== undefined && { isMinimum })} />, [
    [callerQuery.queryKey, { id: "user:1", userId: "1", kind: "session", permissions: ["workflowrun/action"], teams: [] }],
  ]);
  return user;
}
const selectAll = () => screen.queryByRole("button", { name: /^Select all/ });

test("all that match are offered as long as they are more than what is selected", async () => {
  const user = await show(2);
  expect(selectAll()?.textContent).toBe("Select all 2 that match");
  await user.click(screen.getByRole("button", { name: "Add" }));
  expect(screen.getByRole("status").textContent).toBe("2 selected");
  expect(selectAll()).toBeNull();
});

test("they are offered where their number is not known", async () => {
  const user = await show(2, true);
  await user.click(screen.getByRole("button", { name: "Add" }));
  expect(selectAll()?.textContent).toBe("Select all that match, more than 2");
});

test("where there is nothing to select, there is no bar", async () => {
  await show(0);
  expect(screen.queryByRole("status")).toBeNull();
  expect(screen.queryByRole("button", { name: /Cancel/ })).toBeNull();
});

test("when all that match are selected, each row is ticked, and unticking one keeps the others of the page", async () => {
  const user = await show(7);
  const boxes = () => screen.getAllByRole<HTMLInputElement>("checkbox").map(({ checked }) => checked);
  await user.click(selectAll() as HTMLElement);
  expect([boxes(), screen.getByRole("status").textContent]).toEqual([[true, true], "All 7 that match are selected"]);
  await user.click(screen.getAllByRole("checkbox")[0] as HTMLElement);
  expect([boxes(), screen.getByRole("status").textContent]).toEqual([[false, true], "1 selected"]);
  await user.click(selectAll() as HTMLElement);
  await user.click(screen.getByRole("button", { name: "Clear selection" }));
  expect([boxes(), screen.getByRole("status").textContent]).toEqual([[false, false], "Nothing selected"]);
});
