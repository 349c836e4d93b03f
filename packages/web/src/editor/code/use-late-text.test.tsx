import { useHotkeys } from "@mantine/hooks";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useLateText } from "./use-late-text.ts";

const long = "x".repeat(20_000);
let read: string[] = [];
let saved: string[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  read = [];
  saved = [];
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function Editor() {
  const [draft, setDraft] = useState("");
  useHotkeys([["mod+S", () => void saved.push(draft)]], [], true);
  const late = useLateText((text) => {
    read.push(text);
    setDraft(text);
  });
  return <input aria-label="Code" value={late.waiting ?? draft} onChange={({ target }) => late.onChange(target.value)} />;
}

const type = (text: string) => fireEvent.input(screen.getByLabelText("Code"), { target: { value: text } });

test("a short text is read at each key, a long one when typing pauses", () => {
  render(<Editor />);
  type("a");
  type("ab");
  expect(read).toEqual(["a", "ab"]);
  type(`${long}1`);
  type(`${long}12`);
  act(() => void vi.advanceTimersByTime(299));
  expect(read).toHaveLength(2);
  act(() => void vi.advanceTimersByTime(1));
  expect(read.slice(2)).toEqual([`${long}12`]);
});

test.each([
  ["the focus leaves", () => fireEvent.focusOut(screen.getByLabelText("Code"))],
  ["the editor closes", cleanup],
])("a long text is read at once when %s", (_, leave) => {
  render(<Editor />);
  type(`${long}1`);
  leave();
  expect(read).toEqual([`${long}1`]);
});

test("what is saved by key is what was typed", () => {
  render(<Editor />);
  type(`${long}1`);
  fireEvent.keyDown(screen.getByLabelText("Code"), { key: "s", ctrlKey: true });
  expect(saved).toEqual([`${long}1`]);
});
