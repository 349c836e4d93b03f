import { expect, test } from "vitest";
import { findImportCircle } from "../../kit/documents/import-circle.ts";

const imports = (...arrows: string[]) =>
  arrows.map((arrow) => {
    const [from = "", to = ""] = arrow.split(" -> ");
    return { from, to };
  });

test.each([
  ["none in a tree whose branches meet again", ["a -> b", "a -> c", "b -> d", "c -> d"], undefined],
  ["a file that imports itself", ["a -> a"], "a -> a"],
  ["without the way that leads to it", ["a -> b", "b -> c", "c -> d", "d -> b"], "b -> c -> d -> b"],
  ["behind a branch that leads nowhere", ["a -> x", "a -> b", "b -> a"], "a -> b -> a"],
  ["none among files that nothing imports", [], undefined],
])("a circle of imports: %s", (_, arrows, circle) => {
  expect(findImportCircle(imports(...arrows))).toBe(circle);
});
