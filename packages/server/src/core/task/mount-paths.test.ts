import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalMountPath, findMountConflict, isAtOrBelow, mountPathFault } from "./mount-paths.ts";

test.each([
  "",
  "relative",
  "/a/../b",
  "/a/.",
  "/./a",
  "/..",
  "/a\0b",
  "/a\nb",
  "/a\ud800",
  "/a\udc00b",
  `/${"x".repeat(256)}`,
  `/${"x/".repeat(600)}`,
])("%j is not a mount path", (path) => {
  expect(mountPathFault(path)).toMatch(/^must /);
});

test.each([
  ["/workspace", "/workspace"],
  ["//workspace///source/", "/workspace/source"],
  ["/a b/ü/.m2", "/a b/ü/.m2"],
  ["/...", "/..."],
])("%j is the place %j", (path, canonical) => {
  expect([mountPathFault(path), canonicalMountPath(path)]).toEqual([undefined, canonical]);
});

const paths = fc
  .array(fc.constantFrom("w", "link", "a", "a b", "w2"), { minLength: 1, maxLength: 4 })
  .map((names) => `/${names.join("/")}`);

test("a conflict is found exactly when one mount lies at or below another one", () => {
  fc.assert(
    fc.property(fc.array(paths, { maxLength: 5 }), (all) => {
      const mounts = all.map((path, index) => ({ name: `${index}`, path }));
      const isBad = mounts.some((one) => mounts.some((other) => one !== other && isAtOrBelow(one.path, other.path)));
      const conflict = findMountConflict(mounts);
      expect(conflict !== undefined).toBe(isBad);
      if (conflict) expect(isAtOrBelow(conflict.inner.path, conflict.outer.path)).toBe(true);
    }),
  );
});
