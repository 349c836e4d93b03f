import { namedSchemas } from "@millrace/contract/schema.ts";
import { workflow } from "@millrace/contract/workflow/workflow.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expectWork } from "../../../test/kit/processor-ms.ts";
import { createValidator } from "./validator.ts";

const { faults } = createValidator(workflow);
const param = (name: string) => ({ name, value: "x" });
const task = (name: string) => ({ name, type: "script", params: [param("script")], dependencies: [{ taskRef: "start" }] });
const tasks = (count: number) => Array.from({ length: count }, (_, index) => task(`t${index}`));

describe("the faults of a large value", () => {
  test.each([
    ["the last of 10,000 tasks", { name: "a", tasks: [...tasks(10_000), { ...task("odd"), params: 3 }] }],
    ["60,000 tasks, too many", { name: "a", tasks: tasks(60_000) }],
    ["100,000 parameters of a task", { name: 1, tasks: [{ name: "a", params: Array.from({ length: 100_000 }, () => param("x")) }] }],
    ["100,000 unknown members", { name: 1, tasks: [], ...Object.fromEntries(tasks(100_000).map(({ name }) => [name, 1])) }],
    ["100,000 labels", { name: "a", tasks: [], labels: Object.fromEntries(tasks(100_000).map(({ name }) => [name, "x"])) }],
  ])("are found without listing what is right: %s", (_, value) => {
    expectWork(500, () => expect(faults(value).length).toBeGreaterThan(0));
  });

  test("have their place in the whole value", () => {
    const list = tasks(200);
    const odd = { ...task("odd"), params: [...Array.from({ length: 150 }, () => param("x")), 7], labels: { "a/b~c": 1 } };
    expect(faults({ name: "a", tasks: [...list, odd, ...list] })).toEqual([
      { path: "/tasks/200/labels/a~1b~0c", message: "is 1; it must be a string" },
      { path: "/tasks/200/labels", message: "is an object; it must not have additional properties" },
      { path: "/tasks/200/params/150", message: "is 7; it must be an object" },
    ]);
  });

  test("include that a list or an object is too large", () => {
    const params = [...Array.from({ length: 1001 }, () => param("x")), 7];
    const labels = Object.fromEntries(tasks(65).map(({ name }) => [name, "x"]));
    expect(faults({ name: "a", tasks: [{ ...task("a"), params }], labels })).toEqual([
      { path: "/tasks/0/params", message: "is a list; it must not have more than 1000 items" },
      { path: "/labels", message: "is an object; it must not have more than 64 properties" },
    ]);
  });
});

test("the faults among many items are those that the faulty ones have alone", () => {
  const odd = fc.oneof(
    fc.constantFrom<unknown>(null, 1, "x", [], {}, { name: "" }),
    fc.record({
      name: fc.string(),
      timeout: fc.integer({ min: -2, max: 2 }),
      params: fc.array(fc.constantFrom<unknown>(1, param("x")), { maxLength: 70 }),
    }),
  );
  const property = fc.property(fc.array(odd, { minLength: 1, maxLength: 5 }), fc.nat(300), (some, before) => {
    const right = tasks(before);
    const alone = faults({ name: "a", tasks: some });
    const among = faults({ name: "a", tasks: [...right, ...some, ...tasks(100)] });
    const moved = alone.map(({ path, message }) => ({
      path: path.replace(/^\/tasks\/(\d+)/, (_, index) => `/tasks/${Number(index) + before}`),
      message,
    }));
    expect(among).toEqual(moved);
  });
  fc.assert(property);
});

/** What is valid in a shortened list or object would not be in the whole, and the other way round. */
test("no schema has a keyword that depends on all items or members together, but those that are handled", () => {
  const unhandled = ["contains", "prefixItems", "minProperties", "dependentRequired", "dependentSchemas", "allOf", "oneOf", "not", "if"];
  const keywords = new Set<string>();
  const visit = (part: unknown): void => {
    if (typeof part !== "object" || part === null) return;
    for (const [name, inner] of Object.entries(part)) {
      keywords.add(name);
      if (name !== "properties" || Array.isArray(part)) visit(inner);
      else Object.values(inner as object).forEach(visit);
    }
  };
  for (const schema of namedSchemas().values()) visit(schema);
  expect([...keywords].filter((name) => unhandled.includes(name))).toEqual([]);
});
