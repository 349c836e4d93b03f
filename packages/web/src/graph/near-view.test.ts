import { expect, test } from "vitest";
import { boundsOf, meets, span } from "./boxes.ts";
import { nearView, viewOf } from "./near-part.ts";

const view = { x: 0, y: 0, width: 1000, height: 500 };

test("more than the visible part is drawn, and it stays while the view moves inside it", () => {
  const first = nearView(view, undefined);
  expect(first).toEqual({ x: -600, y: -300, width: 2200, height: 1100 });
  expect(nearView({ ...view, x: 300, y: -150 }, first)).toBe(first);
  expect(nearView({ ...view, x: 400 }, first)).toEqual({ ...first, x: -200 });
});

test("zooming in does not wait for distant parts", () => {
  const far = nearView({ x: 0, y: 0, width: 10_000, height: 5_000 }, undefined);
  expect(nearView({ x: 4_000, y: 2_000, width: 1_000, height: 500 }, far)).toEqual({ x: 3_400, y: 1_700, width: 2_200, height: 1_100 });
});

test("the view is told in the coordinates of the graph", () => {
  expect(viewOf([-200, 100, 2], 800, 600)).toEqual({ x: 100, y: -50, width: 400, height: 300 });
});

test("boxes overlap if they share an area", () => {
  expect(meets(view, { x: 999, y: 499, width: 10, height: 10 })).toBe(true);
  expect(meets(view, { x: 1000, y: 0, width: 10, height: 10 })).toBe(false);
  expect(span({ ...view, width: 10, height: 10 }, { x: 90, y: -40, width: 10, height: 10 })).toEqual({
    x: 0,
    y: -40,
    width: 100,
    height: 50,
  });
  expect(boundsOf([])).toBeUndefined();
});
