import { permissionActions as actions, holds, permissionResources as resources } from "@millrace/contract/permission.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { covers, intersect, permissionFault } from "./permissions.ts";

const pattern = fc
  .tuple(fc.constantFrom("**", ...resources), fc.constantFrom("**", ...actions))
  .map(([resource, action]) => `${resource}/${action}`);
const patterns = fc.array(pattern, { maxLength: 5 });
const concrete = fc.tuple(fc.constantFrom(...resources), fc.constantFrom(...actions)).map(([resource, action]) => `${resource}/${action}`);

test("a list covers a pattern exactly when it holds everything that the pattern permits", () => {
  fc.assert(
    fc.property(patterns, pattern, (held, wanted) => {
      const all = resources.flatMap((resource) => actions.map((action) => `${resource}/${action}`)).filter((one) => holds([wanted], one));
      expect(covers(held, wanted)).toBe(all.every((one) => holds(held, one)));
    }),
  );
});

test("the intersection permits what both lists permit, and nothing else", () => {
  fc.assert(
    fc.property(patterns, patterns, concrete, (some, others, wanted) => {
      expect(holds(intersect(some, others), wanted)).toBe(holds(some, wanted) && holds(others, wanted));
    }),
  );
});

test("all parts of a role together cover it, and none may be missing", () => {
  expect(covers(["**/read", "**/write", "**/action", "**/delete", "**/grant"], "**/**")).toBe(true);
  expect(covers(["**/read", "**/write", "**/action", "**/delete"], "**/**")).toBe(false);
});

test.each(["workflow", "/", "workflow/", "/read", "workflow/read/x", "workflow/Read", "house/read", "**", "* */read", ""])(
  "%j is not a permission",
  (text) => {
    expect(permissionFault(text)).toMatch(/^(?:it|the)/);
  },
);

test("every combination of known words is a permission", () => {
  fc.assert(fc.property(pattern, (text) => permissionFault(text) === undefined));
});
