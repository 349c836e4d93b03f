import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { overPeopleAndInstance } from "./overlays/people-and-instance.ts";
import { overRunsAndWorkflows } from "./overlays/runs-and-workflows.ts";
import { overSchedulesAndTasks } from "./overlays/schedules-and-tasks.ts";
import { overTeams } from "./overlays/teams.ts";

const source = fileURLToPath(new URL("../src", import.meta.url));
const files = readdirSync(source, { recursive: true, encoding: "utf8" }).map((name) => name.split(sep).join("/"));

/** `<Modal …>`, `<Modal.Root …>` and the like; not `<Menu.Item …>`, which is inside of one. */
const opens = /<(Modal|Drawer|Popover|Menu|HoverCard|Dialog|FormDialog|ConfirmDialog|BulkDialog)(?!\w|\.(?!Root\b))/;

test("everything that opens above a page is in the table of overlays tested by keyboard and axe, and each line of it exists", () => {
  const inSource = files.filter(
    (name) => name.endsWith(".tsx") && !name.includes(".test.") && opens.test(readFileSync(join(source, name), "utf8")),
  );
  const inTables = [overPeopleAndInstance, overRunsAndWorkflows, overSchedulesAndTasks, overTeams].flat().flatMap(({ of }) => of);
  const known = new Set(inTables.map((name) => `${name}.tsx`));
  expect(inSource.filter((name) => !known.has(name))).toEqual([]);
  expect([...known].filter((name) => !inSource.includes(name))).toEqual([]);
});
