import { cleanup, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { firstFieldIn, focusOn, focusOnCanvas, focusOnNew, keepFocusOnCanvas } from "./canvas-focus.ts";

beforeEach(() => {
  render(
    <>
      {/* biome-ignore-start lint/a11y/noNoninteractiveTabindex: as the library of the canvas draws them */}
      <div className="react-flow" data-testid="canvas" tabIndex={0}>
        <div data-id="fetch" data-testid="task" tabIndex={0} />
      </div>
      <section data-panel data-testid="panel" tabIndex={-1}>
        <input aria-label="Name" />
        <div data-first-field>
          <input aria-label="Value" />
        </div>
      </section>
      {/* biome-ignore-end lint/a11y/noNoninteractiveTabindex: as the library of the canvas draws them */}
    </>,
  );
});
afterEach(cleanup);

const focusComesTo = (element: HTMLElement) => waitFor(() => expect(document.activeElement).toBe(element), { timeout: 10_000 });

test("the keys after a new task go to its form if a field of it takes them, otherwise to the task", async () => {
  focusOnNew("fetch", true);
  await focusComesTo(screen.getByTestId("panel"));
  screen.getByTestId("panel").blur();
  focusOnNew("fetch", false);
  await focusComesTo(screen.getByTestId("task"));
});

test("a field that has the focus already keeps it", async () => {
  screen.getByLabelText("Value").focus();
  focusOnNew("fetch", true);
  keepFocusOnCanvas();
  await new Promise((drawn) => requestAnimationFrame(drawn));
  expect(document.activeElement).toBe(screen.getByLabelText("Value"));
  screen.getByLabelText("Value").blur();
  keepFocusOnCanvas();
  await focusComesTo(screen.getByTestId("canvas"));
});

test("what is gone is replaced by the canvas, and the first field of a form is found", async () => {
  focusOn(firstFieldIn("[data-panel]"));
  await focusComesTo(screen.getByLabelText("Value"));
  focusOnCanvas("gone");
  await focusComesTo(screen.getByTestId("canvas"));
});
