import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { show } from "../show-component.tsx";
import { diffHeight, TextDiff } from "./code-editor.tsx";

afterEach(cleanup);

const lines = (count: number, word = "line") => Array.from({ length: count }, (_, index) => `${word} ${index}`).join("\n");

test("a comparison takes the same room before and after it is drawn, so that no button below it moves", async () => {
  show(
    <div data-testid="around">
      <TextDiff label="Changes" before={lines(40)} after={`${lines(40)}\nmore`} language="yaml" />
    </div>,
  );
  const place = () => (screen.getByTestId("around").firstElementChild as HTMLElement).style.height;
  // Before it is drawn, unless an earlier file of this process has loaded it.
  const before = place();
  await screen.findByRole("textbox", { name: "Changes" });
  expect([place(), before]).toEqual([before, `${24 + 20 + 60 + 30}px`]);
});

test.each([
  ["nothing changed", lines(3), lines(3), 24 + 3 * 20],
  ["one line of few", "a\nb\nc", "a\nB\nc", 24 + 4 * 20],
  ["one line of many", lines(40), lines(40).replace("line 20\n", "other\n"), 24 + 2 * 20 + 2 * (60 + 30)],
  ["all", lines(5), lines(5, "other"), 24 + 10 * 20],
  ["from nothing", "", "a\nb", 24 + 3 * 20],
])("the room for a comparison: %s", (_, before, after, height) => expect(diffHeight(before, after)).toBe(height));
