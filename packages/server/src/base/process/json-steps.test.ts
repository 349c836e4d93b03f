import fc from "fast-check";
import { expect, test } from "vitest";
import { atOnce, jsonSteps } from "./slices.ts";

const many = (element: unknown) => Array.from({ length: 300 }, () => element);

test("the text is that of JSON.stringify", () => {
  fc.assert(
    fc.property(fc.anything(), fc.constantFrom(1, 300), (value, length) => {
      const list = Array.from({ length }, () => value);
      for (const whole of [value, list, { list, value }, { inner: { list }, value }, [{ list }]]) {
        const written = attempt(() => JSON.stringify(whole));
        expect(attempt(() => atOnce(jsonSteps(whole)))).toEqual(written);
      }
    }),
  );
});

/** A bigint can't be written. */
function attempt(write: () => string | undefined): unknown {
  try {
    return write();
  } catch (error) {
    return (error as Error).name;
  }
}

test.each([
  ["members that are left out", { tasks: many(1), gone: undefined, act: () => 1, at: new Date(0) }],
  ["elements that can't be written", { tasks: many(undefined) }],
  ["an object that writes itself", { tasks: many(1), toJSON: () => "itself" }],
  ["a member named __proto__", JSON.parse(`{"__proto__":{"a":1},"tasks":${JSON.stringify(many(0))}}`)],
])("%s", (_, value) => {
  expect(atOnce(jsonSteps(value))).toBe(JSON.stringify(value));
});

test("a large list takes a step for each element", () => {
  const steps = jsonSteps({ run: { tasks: many({ name: "a" }) } });
  let count = 0;
  while (!steps.next().done) count++;
  expect(count).toBe(300);
});
