import { expect, test } from "vitest";
import type { TaskDefinition } from "../../api/queries/task/task-catalog.ts";
import type { Draft } from "./draft.ts";
import { withoutSecrets } from "./kept-draft.ts";

const params = Object.entries({ password: "password", to: "text", key: "Secret" }).map(([name, type]) => ({ name, type }));
const catalog = new Map([["send", { spec: { params } } as Pick<TaskDefinition, "spec">]]);

const draft = {
  name: "w",
  params: [
    { name: "city", type: "text", default: "Zürich" },
    { name: "pin", type: "password", default: "typed", value: "typed too" },
    { name: "empty", type: "password", default: "", hiddenValue: true },
  ],
  tasks: [
    {
      name: "mail",
      taskRef: "send",
      params: [
        { name: "to", value: "ann@example.com" },
        { name: "password", value: "hunter22" },
        { name: "key", value: "$(params.pin)" },
      ],
    },
    { name: "old", taskRef: "gone", params: [{ name: "token", value: "typed", hiddenValue: true }] },
    {
      name: "each",
      workflow: {
        params: [{ name: "inner", type: "PASSWORD", default: "x" }],
        tasks: [{ name: "mail", taskRef: "send", params: [{ name: "key", value: "y" }] }],
      },
    },
  ],
} as Draft;

test("a draft is kept without the values of its secrets, in whatever it is nested", () => {
  const before = structuredClone(draft);
  const { draft: kept, leftOut } = withoutSecrets(draft, catalog);
  expect(leftOut).toEqual(["pin", "mail › password", "old › token", "each › inner", "each › mail › key"]);
  expect(JSON.stringify(kept)).not.toMatch(/typed|hunter22|"x"|"y"/);
  expect(kept.params.map(({ default: one }) => one)).toEqual(["Zürich", "", ""]);
  expect(kept.tasks[0]?.params).toEqual([
    { name: "to", value: "ann@example.com" },
    { name: "password", value: "" },
    { name: "key", value: "$(params.pin)" },
  ]);
  expect(kept.tasks[1]?.params).toEqual([{ name: "token", value: "", hiddenValue: true }]);
  expect(draft).toEqual(before);
});
