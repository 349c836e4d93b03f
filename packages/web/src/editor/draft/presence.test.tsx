import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { show } from "../../ui/show-component.tsx";
import { EditorNames } from "./presence.tsx";

afterEach(cleanup);

const editor = (name: string, more: object = {}) => ({ name, since: "2026-11-28T10:00:00Z", unsaved: false, you: false, ...more });

test.each([
  [[editor("Bob")], "Bob is editing"],
  [[editor("Bob"), editor("Bob", { unsaved: true })], "Bob is editing, with unsaved changes"],
  [[editor("Bob"), editor("Eve"), editor("Bob")], "Bob and Eve are editing"],
  [[editor("Ada", { you: true })], "You are editing in another window"],
  [[editor("Ada", { you: true, unsaved: true }), editor("Bob")], "Bob is editing"],
])("of %j the header says %j", (editors, words) => {
  show(<EditorNames editors={editors} />);
  expect(screen.getByRole("status").textContent).toBe(words);
});

test("the header shows no editors while you edit alone", () => {
  show(<EditorNames editors={[]} />);
  expect(screen.queryByRole("status")).toBeNull();
});
