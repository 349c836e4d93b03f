import { expect, test } from "vitest";
import { allRunsEntry, findEntries, hitEntry, type PaletteEntry, runEntry } from "./palette-entries.ts";

const entries: PaletteEntry[] = [
  { kind: "Places", label: "Activity", detail: "hawks", to: "/hawks/activity" },
  { kind: "Workflows", label: "Nightly import", detail: "hawks", further: "night-job", to: "/a" },
  { kind: "Workflows", label: "Import of orders", detail: "owls", to: "/b" },
  { kind: "Runs", label: "Nightly import 1a2b3c4d", detail: "hawks", to: "/c" },
  { kind: "Teams", label: "Hawks", to: "/hawks/workflows" },
  { kind: "Tasks", label: "Reimport", to: "/t" },
];

test.each([
  ["", ["/hawks/activity", "/a", "/b", "/c", "/hawks/workflows"]],
  ["import", ["/b", "/a", "/c", "/t"]],
  ["IMPORT hawks", ["/a", "/c"]],
  ["hawks", ["/hawks/workflows", "/hawks/activity", "/a", "/c"]],
  ["teams ha", ["/hawks/workflows"]],
  ["night-j", ["/a"]],
  ["nothing", []],
])("%j finds %j, the kind with the best first", (typed, found) => {
  expect(findEntries(entries, typed).map(({ to }) => to)).toEqual(found);
});

const hit = {
  id: "1",
  name: "nightly",
  displayName: "Nightly",
  teamName: "hawks",
  teamDisplayName: "The Hawks",
  status: "active" as const,
};
test.each([
  [{ ...hit, kind: "workflow" as const }, "Workflows", "/hawks/workflows/nightly/overview", "The Hawks"],
  [{ ...hit, kind: "task" as const, status: "inactive" as const }, "Tasks", "/hawks/task-manager/nightly", "The Hawks · inactive"],
  [{ ...hit, kind: "task" as const, teamName: null, teamDisplayName: null }, "Tasks", "/admin/task-manager/nightly", "for all teams"],
  [
    { ...hit, kind: "template" as const, teamName: null, teamDisplayName: null, status: null },
    "Templates",
    "/admin/template-workflows/nightly",
    "for all teams",
  ],
  [{ ...hit, kind: "team" as const, teamName: null, teamDisplayName: null }, "Teams", "/nightly/workflows", "nightly"],
])("what is found leads to its page", (found, kind, to, detail) => {
  expect(hitEntry(found)).toMatchObject({ kind, to, detail, label: "Nightly" });
});

const foundRun = {
  id: "0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e",
  status: "failed" as const,
  creationDate: "2026-05-04T06:00:00.000Z",
  workflowName: "orders",
  workflowDisplayName: "Orders",
  teamName: "hawks",
  teamDisplayName: "The Hawks",
};

test("runs that the service found by a value are a separate group", () => {
  const found = findEntries([...entries, runEntry(foundRun, "Failed"), allRunsEntry("hawks", "A-2345")], "A-2345");
  expect(found.map(({ kind, label, to }) => [kind, label, to])).toEqual([
    ["Runs", "Orders 6d2d9b1e", "/hawks/activity/0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e"],
    ["Runs", "All runs that match “A-2345”", "/hawks/activity?q=%22A-2345%22"],
  ]);
  expect(found[0]?.detail).toMatch(/^Failed · .* ago · The Hawks$/);
});
