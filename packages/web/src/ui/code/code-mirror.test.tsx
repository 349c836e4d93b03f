import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { show } from "../show-component.tsx";
import { CodeMirror } from "./code-mirror.tsx";

afterEach(cleanup);

test("the key that runs a script leaves its text as it is, and reaches the dialog around it", () => {
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
