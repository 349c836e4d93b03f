import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { show } from "../show-component.tsx";
import { CodeMirror } from "./code-mirror.tsx";

afterEach(cleanup);

test("the key that runs a script doesn't change its text, and reaches the dialog around it", () => {
  const texts: string[] = [];
  const keys: string[] = [];
  show(
    // biome-ignore lint/a11y/noStaticElementInteractions: it stands for a dialog
    <div onKeyDown={({ key }) => keys.push(key)}>
      <CodeMirror label="Script" value="echo one" onChange={(text) => texts.push(text)} />
    </div>,
  );
  const field = screen.getByRole("textbox", { name: "Script" });
  fireEvent.keyDown(field, { key: "Enter", code: "Enter", ctrlKey: true });
  expect({ texts, keys }).toEqual({ texts: [], keys: ["Enter"] });
  fireEvent.keyDown(field, { key: "Enter", code: "Enter" });
  expect(texts).toHaveLength(1);
});

test("completions of an editor in a dialog are shown beside the dialog, which would cut them off", async () => {
  const complete = () => ({ from: 0, options: [{ label: "params.city" }] });
  show(
    <div data-testid="around">
      <div role="dialog">
        <CodeMirror label="Script" value="" complete={complete} />
      </div>
    </div>,
  );
  const field = screen.getByRole("textbox", { name: "Script" });
  field.focus();
  fireEvent.keyDown(field, { key: " ", code: "Space", ctrlKey: true });
  const popup = await screen.findByText("params.city");
  expect(screen.getByTestId("around").contains(popup)).toBe(true);
  expect(popup.closest("[role=dialog]")).toBeNull();
});
