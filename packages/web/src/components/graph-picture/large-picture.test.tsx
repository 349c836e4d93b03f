import { act, cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { show } from "../../ui/show-component.tsx";
import { TaskPicture } from "./task-picture.tsx";

afterEach(cleanup);

const conditionAt = (index: number): "failure" | "always" => (index === 45 ? "failure" : "always");

/** A grid of tasks, of which each column follows the one before. */
const tasks = Array.from({ length: 1_000 }, (_, index) => ({
  ...{ name: `t${index}`, type: "script" as const },
  annotations: { "millrace.dev/position": { x: Math.floor(index / 20) * 260, y: (index % 20) * 100 } },
  dependencies: index < 20 ? [] : [{ taskRef: `t${index - 20}`, executionCondition: conditionAt(index) }],
}));

test("of 1,000 tasks only those near the visible part are drawn, even after scrolling; the text alternative names all", () => {
  show(<TaskPicture tasks={tasks} label="The graph" />);
  const [picture, box] = [screen.getByRole("img"), screen.getByRole("region", { name: "The graph" })];
  // The document of the test has no layout: the box shows 900 by 480 pixels of the picture at its full size.
  Object.defineProperties(box, { clientWidth: { value: 900 }, clientHeight: { value: 480 } });
  picture.getBoundingClientRect = () => ({ width: Number(picture.getAttribute("width")) }) as DOMRect;
  const scroll = (scrollLeft: number, scrollTop: number) => {
    Object.assign(box, { scrollLeft, scrollTop });
    act(() => void box.dispatchEvent(new Event("scroll")));
  };
  scroll(0, 0);
  const drawn = () => [...picture.querySelectorAll("title")].map(({ textContent }) => textContent);
  expect(drawn().length).toBeLessThan(100);
  expect(drawn()).toContain("t0");
  expect(picture.querySelectorAll("*").length).toBeLessThan(1_500);
  expect([...picture.querySelectorAll("text")].filter(({ textContent }) => textContent?.includes("failure"))).toHaveLength(1);
  expect(picture.getAttribute("aria-label")).toContain("t999");
  scroll(12_000, 1_500);
  expect(drawn()).toContain("t999");
  expect(drawn()).not.toContain("t0");
});
