import { cleanup, createEvent, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { showPage } from "../../../ui/show-component.tsx";
import type { LogSource } from "../log-source.ts";
import { LogStore } from "../log-store.ts";
import { visibleLines } from "./line-ranges.ts";
import { LogLines } from "./log-lines.tsx";

afterEach(cleanup);

const lines = Array.from({ length: 500 }, (_, index) => ({ time: "", step: "main", text: `line ${index + 1}` }));
const source = { tail: async () => ({ lines, next: "500", firstLine: 1 }) } as Partial<LogSource> as LogSource;

async function followed(isFollowing: boolean) {
  const book = new LogStore(source);
  await book.readOn();
  const onFollow = vi.fn<(isFollowing: boolean) => void>();
  await showPage(
    <LogLines
      ref={null}
      {...{ memory: "t", label: "Log", describedBy: "d", book, visible: visibleLines(500, undefined), isFollowing, onFollow }}
      {...{ showsTime: false, isWrapped: false, query: "", currentMatch: undefined, choice: undefined, isWhole: true }}
      onChoose={() => {}}
      onKeyDown={() => {}}
    />,
  );
  return { log: screen.getByRole("log"), onFollow };
}

test("the wheel stops following at once, whatever is drawn before the browser reports the scrolling", async () => {
  const { log, onFollow } = await followed(true);
  // The wheel events of happy-dom have no keys.
  fireEvent(log, Object.assign(createEvent.wheel(log, { deltaY: -100 }), { ctrlKey: true }));
  expect(onFollow).not.toHaveBeenCalled();
  fireEvent.wheel(log, { deltaY: -100 });
  expect(onFollow.mock.calls).toEqual([[false]]);
});

test("a finger that moves down does the same, and one that moves up does not", async () => {
  const { log, onFollow } = await followed(true);
  fireEvent.touchStart(log, { touches: [{ clientY: 200 }] });
  fireEvent.touchMove(log, { touches: [{ clientY: 180 }] });
  expect(onFollow).not.toHaveBeenCalled();
  fireEvent.touchMove(log, { touches: [{ clientY: 220 }] });
  expect(onFollow.mock.calls).toEqual([[false]]);
});

test("a report of the end that comes late does not resume following; scrolling to the end does", async () => {
  const { log, onFollow } = await followed(false);
  fireEvent.wheel(log, { deltaY: -100 });
  fireEvent.scroll(log);
  expect(onFollow).not.toHaveBeenCalled();
  fireEvent.wheel(log, { deltaY: 100 });
  fireEvent.scroll(log);
  expect(onFollow.mock.calls).toEqual([[true]]);
});
