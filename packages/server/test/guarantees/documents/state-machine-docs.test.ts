import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runEvents } from "../../../src/core/run/run-machine.ts";
import { taskRunEvents } from "../../../src/core/run/task-run-machine.ts";
import { renderStateMachines } from "../../kit/documents/state-machine-docs.ts";

const page = join(import.meta.dirname, "../../../../../docs/state-machines.md");

it("docs/state-machines.md shows the tables as they are in the code", async () => {
  const text = await readFile(page, "utf8");
  const rendered = renderStateMachines(text);
  if (withoutPadding(rendered) !== withoutPadding(text)) await expect(rendered).toMatchFileSnapshot(page);
});

/** A row whose first cell names the event, alone or among others, and whose second cell is not empty. */
function rowOf(event: string): RegExp {
  return new RegExp(`^\\|([\\w, ]+, )?${event}(, [\\w, ]+)?\\|[^|]{10,}`, "m");
}

/** The width that a formatter gives to the cells of a table does not matter. */
function withoutPadding(text: string): string {
  return text.replaceAll(/ *\| */g, "|").replaceAll(/\|-+(?=\|)/g, "|-");
}

it("docs/state-machines.md says for each event who can cause it", async () => {
  const [runs = "", taskRuns = ""] = withoutPadding(await readFile(page, "utf8")).split("## Task runs");
  for (const event of runEvents) expect(runs).toMatch(rowOf(event));
  for (const event of taskRunEvents) expect(taskRuns).toMatch(rowOf(event));
});
