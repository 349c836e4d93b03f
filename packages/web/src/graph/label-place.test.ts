import { expect, test } from "vitest";
import { meets } from "./boxes.ts";
import { labelPlace, labelRoom, wordsWidth } from "./label-place.ts";
import { sizeOf } from "./node-size.ts";
import { layoutOf, type PlacedTask, placesOf } from "./task-places.ts";

const tasks: PlacedTask[] = [
  { name: "start" },
  { name: "which", type: "decision", dependencies: [{ taskRef: "start" }] },
  { name: "gold", dependencies: [{ taskRef: "which", decisionCondition: "gold\nsilver" }] },
  { name: "rest", dependencies: [{ taskRef: "which" }] },
  { name: "repair", dependencies: [{ taskRef: "rest", executionCondition: "failure" }] },
  { name: "end", dependencies: [{ taskRef: "gold" }, { taskRef: "repair" }] },
];
const boxesAt = (places: ReturnType<typeof placesOf>) =>
  new Map(tasks.map((task) => [task.name, { ...places.get(task.name)!, ...sizeOf(task) }]));
/** The label position of each labelled edge, and the boxes of all tasks. */
function labelsAt(places: ReturnType<typeof placesOf>) {
  const boxes = boxesAt(places);
  return tasks.flatMap(({ name, dependencies }) =>
    (dependencies ?? []).flatMap((dependency) => {
      const { width } = labelRoom(dependency, dependency.taskRef === "which");
      if (width === 0) return [];
      const place = labelPlace(boxes.get(dependency.taskRef)!, boxes.get(name)!, width, [...boxes.values()]);
      return [{ name, wanted: width, ...place }];
    }),
  );
}
const box = ({ x, y, width }: { x: number; y: number; width: number }) => ({ x: x - width / 2, y: y - 10, width, height: 20 });

test("the layout has space for the label of each edge: none is cut off or covered by a task", () => {
  const boxes = [...boxesAt(layoutOf(tasks)).values()];
  const labels = labelsAt(layoutOf(tasks));
  expect(labels.map(({ name, width, wanted }) => [name, width === wanted])).toEqual([
    ["gold", true],
    ["rest", true],
    ["repair", true],
  ]);
  expect(labels.filter((label) => boxes.some((node) => meets(node, box(label))))).toEqual([]);
});

test("between tasks that are too close, the label is shortened to fit, down to its icon", () => {
  const near = (gap: number) =>
    labelPlace({ x: 0, y: 0, width: 184, height: 56 }, { x: 184 + gap, y: 0, width: 184, height: 56 }, 100, [
      { x: 0, y: 0, width: 184, height: 56 },
      { x: 184 + gap, y: 0, width: 184, height: 56 },
    ]);
  expect([near(120).width, near(70).width, near(40).width]).toEqual([100, 60, 24]);
});

test("a label moves along its edge if a task covers the middle of it", () => {
  const [from, to, between] = [0, 800, 400].map((x) => ({ x, y: 0, width: 184, height: 56 })) as [Box, Box, Box];
  const place = labelPlace(from, to, 80, [from, to, between]);
  expect(meets(box(place), between)).toBe(false);
  expect(place.width).toBe(80);
});
type Box = { x: number; y: number; width: number; height: number };

test("tasks are where their author has placed them, and those without a position are below", () => {
  const at = (name: string, x: number, y: number): PlacedTask => ({ name, annotations: { "millrace.dev/position": { x, y } } });
  const places = placesOf([at("a", 5, 7), { name: "b" }]);
  expect(places.get("a")).toEqual({ x: 5, y: 7 });
  expect(places.get("b")!.y).toBeGreaterThan(7 + 56);
});

test("words take as much room as they have letters, up to a limit", () => {
  expect([wordsWidth("x"), wordsWidth("x".repeat(100))]).toEqual([40, 160]);
});
