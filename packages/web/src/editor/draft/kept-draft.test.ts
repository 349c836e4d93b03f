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

test("params of a task that are no list, or have other types, break nothing", () => {
  const shapes = [
    { params: [], tasks: [{ name: "a", params: { password: "hunter22" } }] },
    { params: [], tasks: [{ name: "a", params: [null] }] },
    { params: [{ name: "p", type: 5 }], tasks: [] },
    { params: [], tasks: [{ name: "a", workflow: { params: {}, tasks: { b: 1 } } }] },
    { params: [], tasks: [{ name: "a", workflow: { params: [null], tasks: [null] } }] },
    { params: [], tasks: [{ name: "a", workflow: "text" }] },
  ] as unknown as Draft[];
  const thrown = shapes.flatMap((shape) => {
    try {
      withoutSecrets({ ...shape, name: "w" }, catalog);
      return [];
    } catch (error) {
      return [String(error)];
    }
  });
  expect(thrown).toEqual([]);
  expect(JSON.stringify(shapes.map((shape) => withoutSecrets({ ...shape, name: "w" }, catalog).draft))).not.toContain("hunter22");
});

test("a value that looks like a reference and is none to the service is left out", () => {
  const pin = (value: unknown) =>
    ({ name: "w", params: [{ name: "pin", type: "password", default: value }], tasks: [] }) as unknown as Draft;
  expect(JSON.stringify(withoutSecrets(pin("$(hunter22 is secret!)"), catalog).draft)).not.toContain("hunter22");
});

test("of a task that is not known, or is named with its team, what was not saved may be a secret", () => {
  const tasks = [
    { name: "a", taskRef: "shop/send", params: [{ name: "password", value: "hunter22" }] },
    { name: "b", taskRef: "sen", params: [{ name: "password", value: "hunter22" }] },
    {
      name: "c",
      params: [
        { name: "password", value: "hunter22" },
        { name: "shown", value: "saved" },
      ],
    },
  ];
  const baseline = { tasks: [{ name: "c", params: [{ name: "shown", value: "saved" }] }] } as unknown as Draft;
  const { draft: kept, leftOut } = withoutSecrets({ name: "w", params: [], tasks } as unknown as Draft, catalog, { baseline });
  expect(leftOut).toEqual(["a › password", "b › password", "c › password"]);
  expect(JSON.stringify(kept)).toContain("saved");
});
