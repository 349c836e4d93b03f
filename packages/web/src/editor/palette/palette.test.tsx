import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { TaskDefinition } from "../../api/queries/task/task-catalog.ts";
import { show } from "../../ui/show-component.tsx";
import { Palette } from "./palette.tsx";

afterEach(cleanup);

const task = (name: string, displayName: string) =>
  [name, { name, displayName, category: "All", type: "template", status: "active", version: 1 } as TaskDefinition] as const;
const catalog = new Map([task("http", "Call"), task("shell", "Execute Shell"), task("sleep", "Sleep")]);

let searches = 0;

function open() {
  const added: [name: string | null | undefined, isFilledIn: boolean, isFocusFree: boolean][] = [];
  const { user } = show(
    <Palette
      catalog={catalog}
      onSearch={() => searches++}
      onAdd={({ name }, isFilledIn) => added.push([name, isFilledIn, document.activeElement === document.body])}
    />,
  );
  return { user, added, search: screen.getByRole("textbox", { name: "Search tasks" }) };
}

test("the search says when it begins, so that what a new task needs is loaded", async () => {
  const { user, search } = open();
  expect(searches).toBe(0);
  await user.click(search);
  expect(searches).toBe(1);
});

test("Enter adds the first match and leaves the focus to its form; with Shift, the search keeps it", async () => {
  const { user, added, search } = open();
  await user.type(search, "she{Shift>}{Enter}{/Shift}");
  expect(document.activeElement).toBe(search);
  await user.keyboard("{Enter}");
  search.focus();
  await user.keyboard("cal{Enter}");
  expect(added, "what is typed next is another search").toEqual([
    ["shell", false, false],
    ["shell", true, true],
    ["http", true, true],
  ]);
});

test("the arrow keys go through the matches, and Tab leaves them at once", async () => {
  const { user, added, search } = open();
  await user.click(search);
  await user.keyboard("{ArrowDown}{ArrowDown}");
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Add Execute Shell" }));
  await user.keyboard("{ArrowUp}{ArrowUp}");
  expect(document.activeElement).toBe(search);
  await user.keyboard("{ArrowUp}");
  expect(document.activeElement, "above the search is nothing").toBe(search);
  await user.tab();
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Add Call" }));
  await user.keyboard("{ArrowDown}{Enter}");
  expect(added).toEqual([["shell", true, true]]);
  screen.getByRole("button", { name: "Add Sleep" }).focus();
  await user.tab();
  expect(document.activeElement).toBe(document.body);
});
