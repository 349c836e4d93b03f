import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { lazy, type ReactNode, useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { show } from "../show-component.tsx";
import { LateOverlay } from "./late-overlay.tsx";

afterEach(cleanup);

interface PageProps {
  overlay: ReactNode;
  onText: ((text: string) => void) | undefined;
  onPageKey: (key: string) => void;
}

/** A page with keys of its own, below an overlay that is opened. */
function Page({ overlay, onText, onPageKey }: PageProps) {
  const [isOpen, setOpen] = useState(true);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only the test presses keys here
    <div onKeyDown={({ key }) => onPageKey(key)}>
      <button type="button">Page</button>
      {isOpen && (
        <LateOverlay onClose={() => setOpen(false)} {...(onText && { onText })}>
          {overlay}
        </LateOverlay>
      )}
    </div>
  );
}

/** Opens an overlay whose code is there as soon as the test says so. */
function open(onText?: (text: string) => void) {
  let resolve = (_: { default: () => ReactNode }) => {};
  const loading = new Promise<{ default: () => ReactNode }>((fulfil) => {
    resolve = fulfil;
  });
  const Overlay = lazy(() => loading);
  const onPageKey = vi.fn();
  show(<Page overlay={<Overlay />} {...{ onText, onPageKey }} />);
  const load = () => act(async () => resolve({ default: () => <p>Loaded</p> }));
  return { onPageKey, load, press: (key: string) => fireEvent.keyDown(screen.getByRole("button"), { key }) };
}

test("Escape closes an overlay that is still loading: it doesn't open afterwards, and the page doesn't get the key", async () => {
  const { press, load, onPageKey } = open();
  press("Escape");
  await load();
  expect(screen.queryByText("Loaded")).toBeNull();
  expect(onPageKey).not.toHaveBeenCalled();
});

test("what is typed while an overlay is loading goes to the overlay if it takes text, otherwise to the page", async () => {
  const typed: string[] = [];
  const taking = open((text) => typed.push(text));
  taking.press("o");
  taking.press("r");
  expect([typed.join(""), taking.onPageKey.mock.calls.length]).toEqual(["or", 0]);
  await taking.load();
  screen.getByText("Loaded");
  taking.press("d");
  expect([typed.join(""), taking.onPageKey.mock.calls.length], "the overlay has its own keys now").toEqual(["or", 1]);
  cleanup();
  const other = open();
  other.press("o");
  expect(other.onPageKey).toHaveBeenCalledWith("o");
});
