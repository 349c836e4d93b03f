import fc from "fast-check";
import { expect, test } from "vitest";
import { isSameJson, sortedJson } from "./same-json.ts";

const member = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom(undefined, Number.NaN, new Date(0)));
const document = fc.oneof(member, fc.array(member, { maxLength: 3 }), fc.dictionary(fc.constantFrom("a", "b", "__proto__"), member));

test("two values are the same if their sorted texts are", () => {
  fc.assert(
    fc.property(document, document, (one, other) => {
      expect(isSameJson(one, other)).toBe(sortedJson(one) === sortedJson(other));
      expect(isSameJson(one, structuredClone(one))).toBe(true);
    }),
    { numRuns: 1000 },
  );
});
