import { cleanup, screen, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { show } from "../show-component.tsx";
import { type Column, DataTable, type RowSelection } from "./data-table.tsx";
import { RowButton } from "./scroll-box.tsx";

afterEach(cleanup);

interface Team {
  id: string;
  name: string;
  runs: number;
  isOpen: boolean;
}
const teams: Team[] = [
  { id: "1", name: "hawks", runs: 3, isOpen: true },
  { id: "2", name: "owls", runs: 12, isOpen: false },
  { id: "3", name: "kites", runs: 0, isOpen: true },
];
const columns: Column<Team>[] = [
  { title: "Team", kind: "name", sortBy: "name", cell: ({ name }) => name },
  { title: "Runs", kind: "number", sortBy: "runs", sortsDownFirst: true, cell: ({ runs }) => runs },
  { title: "Actions", kind: "actions", cell: ({ name }) => <button type="button">Delete {name}</button> },
];
const keyOf = ({ id }: Team) => id;
const heads = () => screen.getAllByRole("columnheader").map(({ textContent }) => textContent);
const names = () =>
  screen
    .getAllByRole("row")
    .slice(1)
    .map((row) => row.textContent);

test("each row has a cell of each column, in a region that is named for what it lists", () => {
  show(<DataTable label="Teams" columns={[...columns.slice(0, 2), false]} rows={teams} keyOf={keyOf} />);
  within(screen.getByRole("region", { name: "Teams" })).getByRole("table");
  expect(heads()).toEqual(["Team", "Runs"]);
  expect(names()).toEqual(["hawks3", "owls12", "kites0"]);
});

test("while it loads it says so, and a failure says why and can be tried again", async () => {
  const refetch = vi.fn();
  const table = (error: unknown) => (
    <DataTable label="Teams" columns={columns} query={{ data: undefined, error, refetch }} rows={undefined} keyOf={keyOf} />
  );
  const { user, again } = show(table(null));
  screen.getByRole("status", { name: "Loading teams" });
  again(table(new Error("Two of three disks answered.")));
  expect(screen.getByRole("alert").textContent).toContain("Two of three disks answered.");
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(refetch).toHaveBeenCalledOnce();
});

test("without rows it shows the given empty state instead", () => {
  show(<DataTable label="Teams" columns={columns} rows={[]} keyOf={keyOf} empty={<p>No teams yet</p>} />);
  screen.getByText("No teams yet");
  expect(screen.queryByRole("table")).toBeNull();
});

test("a press on a column header sorts by it, in its usual direction; a second press reverses the order", async () => {
  const onSort = vi.fn();
  const table = (by: string, isDescending: boolean) => (
    <DataTable label="Teams" columns={columns} rows={teams} keyOf={keyOf} sorting={{ by, isDescending, onSort }} />
  );
  const { user, again } = show(table("name", false));
  const sorted = () => screen.getAllByRole("columnheader").map((head) => head.getAttribute("aria-sort"));
  expect(sorted()).toEqual(["ascending", "none", null]);
  await user.click(screen.getByRole("button", { name: "Runs" }));
  expect(onSort).toHaveBeenLastCalledWith("runs", true);
  again(table("runs", true));
  expect(sorted()).toEqual(["none", "descending", null]);
  await user.click(screen.getByRole("button", { name: "Runs" }));
  expect(onSort).toHaveBeenLastCalledWith("runs", false);
});

test("rows of a group stand together below its title", () => {
  const groupOf = ({ isOpen }: Team) => (isOpen ? "Open" : "Closed");
  show(<DataTable label="Teams" columns={columns.slice(0, 1)} rows={teams} keyOf={keyOf} groupOf={groupOf} />);
  expect(names()).toEqual(["Open", "hawks", "kites", "Closed", "owls"]);
});

function selectionOf(chosen: string[]): RowSelection<Team> {
  return {
    allLabel: "Select all teams",
    labelOf: ({ name }) => `Select ${name}`,
    canSelect: ({ isOpen }) => isOpen,
    has: (id) => chosen.includes(id),
    toggle: vi.fn(),
    add: vi.fn(),
    remove: vi.fn(),
  };
}

test.each([
  ["none", [], false, false],
  ["some", ["1"], false, true],
  ["all that can be", ["1", "3"], true, false],
])("with %s selected the box at the head says so", (_, chosen, isChecked, isMixed) => {
  show(<DataTable label="Teams" columns={columns} rows={teams} keyOf={keyOf} selection={selectionOf(chosen)} />);
  const all = screen.getByRole<HTMLInputElement>("checkbox", { name: "Select all teams" });
  expect([all.checked, all.indeterminate]).toEqual([isChecked, isMixed]);
  expect(screen.queryByRole("checkbox", { name: "Select owls" })).toBeNull();
});

test("the checkbox in the header selects all selectable rows, and clears the selection", async () => {
  const some = selectionOf(["1"]);
  const { user, again } = show(<DataTable label="Teams" columns={columns} rows={teams} keyOf={keyOf} selection={some} />);
  await user.click(screen.getByRole("checkbox", { name: "Select all teams" }));
  expect(some.add).toHaveBeenCalledExactlyOnceWith([teams[0], teams[2]]);
  const all = selectionOf(["1", "3"]);
  again(<DataTable label="Teams" columns={columns} rows={teams} keyOf={keyOf} selection={all} />);
  await user.click(screen.getByRole("checkbox", { name: "Select all teams" }));
  expect(all.remove).toHaveBeenCalledExactlyOnceWith(["1", "3"]);
  await user.click(screen.getByRole("checkbox", { name: "Select kites" }));
  expect(all.toggle).toHaveBeenCalledExactlyOnceWith(teams[2]);
});

test("a press anywhere on a row opens its page, except on a button in it", async () => {
  const open = vi.fn();
  const remove = vi.fn();
  const { user } = show(
    <DataTable
      label="Teams"
      columns={[
        { title: "Team", kind: "name", cell: ({ name }) => <RowButton onClick={() => open(name)}>{name}</RowButton> },
        { title: "Runs", kind: "number", cell: ({ runs }) => runs },
        {
          title: "Actions",
          kind: "actions",
          cell: () => (
            <button type="button" onClick={remove}>
              Delete
            </button>
          ),
        },
      ]}
      rows={teams.slice(0, 1)}
      keyOf={keyOf}
    />,
  );
  await user.click(screen.getByRole("cell", { name: "3" }));
  expect(open).toHaveBeenCalledExactlyOnceWith("hawks");
  await user.click(screen.getByRole("button", { name: "hawks" }));
  expect(open).toHaveBeenCalledTimes(2);
  await user.click(screen.getByRole("button", { name: "Delete" }));
  expect(remove).toHaveBeenCalledOnce();
  expect(open).toHaveBeenCalledTimes(2);
  expect(screen.getByRole("button", { name: "hawks" }).title).toBe("hawks");
});
