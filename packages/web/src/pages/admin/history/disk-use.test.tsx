import { cleanup, screen, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { History } from "../../../api/queries/settings.ts";
import { showPage } from "../../../ui/show-component.tsx";
import { DiskUse } from "./disk-use.tsx";

afterEach(cleanup);

const gib = 2 ** 30;
const storage: History["storage"] = {
  databaseBytes: 3 * gib,
  kinds: [
    { kind: "logs", bytes: 2 * gib, bytesPerDay: 5 * 2 ** 20 },
    { kind: "other", bytes: gib, bytesPerDay: null },
  ],
  folders: [
    { kind: "database", path: "/data/postgres", bytes: null, isComplete: true, freeBytes: 20 * gib, totalBytes: 80 * gib },
    { kind: "workspaces", path: "/data/workspaces", bytes: 4096, isComplete: false, freeBytes: 0, totalBytes: 10 * gib },
  ],
};

/** The texts of the cells of each row, without the header row. */
function rowsOf(region: string): (string | null)[][] {
  const rows = within(screen.getByRole("region", { name: region }))
    .getAllByRole("row")
    .slice(1);
  return rows.map((row) =>
    within(row)
      .getAllByRole("cell")
      .map((cell) => cell.textContent),
  );
}

test("each kind of record has its size and growth, each folder its size and the room on its disk", async () => {
  await showPage(<DiskUse storage={storage} />);
  expect(screen.getByText("The database takes 3.0 GiB.")).toBeTruthy();
  expect(rowsOf("Database by kind of record")).toEqual([
    ["Logs", "2.0 GiB", "5.0 MiB"],
    ["Other", "1.0 GiB", "–"],
  ]);
  expect(rowsOf("Folders of this server")).toEqual([
    ["Database /data/postgres", "–", "20 GiB of 80 GiB (25%)"],
    ["Workspaces /data/workspaces", "at least 4.0 KiB", "0 B of 10 GiB (0%)"],
  ]);
});

test("a server without folders of its own shows the database alone", async () => {
  await showPage(<DiskUse storage={{ ...storage, folders: [] }} />);
  expect(screen.queryByRole("region", { name: "Folders of this server" })).toBeNull();
});
