import { expect, test } from "vitest";
import type { Draft } from "./draft.ts";
import { unseenChange } from "./unseen-change.ts";

const draft = (more: object = {}): Draft => ({ name: "w", params: [], tasks: [{ name: "a" }], ...more }) as Draft;

test.each([
  [{ retries: 1 }, "Configure › Options"],
  [{ timeout: 1, params: [{ name: "p" }] }, "Configure › Parameters, Configure › Options"],
  [{ mine: 1 }, "Code"],
  [{ retries: 1, tasks: [] }, undefined],
  [{ canvasNotes: [] }, undefined],
  [{}, undefined],
])("a change of %j is at %s", (more, place) => {
  const found = unseenChange(draft(), draft(more));
  expect(found?.split(", ").sort()).toEqual(place?.split(", ").sort());
  expect(unseenChange(draft(more), draft())?.split(", ").sort()).toEqual(found?.split(", ").sort());
});
