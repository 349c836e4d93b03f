import { expect, test } from "vitest";
import { findEntries, type PaletteEntry } from "./palette-entries.ts";

const entries: PaletteEntry[] = [
  { kind: "Places", label: "Activity", detail: "hawks", to: "/hawks/activity" },
  { kind: "Workflows", label: "Nightly import", detail: "hawks", to: "/a" },
  { kind: "Workflows", label: "Import of orders", detail: "owls", to: "/b" },
  { kind: "Runs", label: "Nightly import 1a2b3c4d", detail: "hawks", to: "/c" },
  { kind: "Teams", label: "Hawks", to: "/hawks/workflows" },
];

test.each([
  ["", ["/hawks/activity", "/a", "/b", "/c", "/hawks/workflows"]],
  ["import", ["/b", "/a", "/c"]],
  ["IMPORT hawks", ["/a", "/c"]],
  ["hawks", ["/hawks/activity", "/a", "/c", "/hawks/workflows"]],
  ["teams ha", ["/hawks/workflows"]],
  ["nothing", []],
])("%j finds %j", (typed, found) => {
  expect(findEntries(entries, typed).map(({ to }) => to)).toEqual(found);
});
