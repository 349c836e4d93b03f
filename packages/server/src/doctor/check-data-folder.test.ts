import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { checkDataFolder } from "./check-data-folder.ts";

const folder = mkdtempSync(join(tmpdir(), "millrace-data-check-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a folder that is not there yet can be created, and is not created by the check", async () => {
  const [access, space] = await checkDataFolder(join(folder, "new/.millrace"));
  expect(access).toMatchObject({ status: "ok", message: expect.stringContaining("will be created") });
  expect(space).toMatchObject({ name: "disk space", message: expect.stringMatching(/^\d+\.\d GB free/) });
  expect(existsSync(join(folder, "new"))).toBe(false);
});

test("a file in its place is a problem with a remedy", async () => {
  writeFileSync(join(folder, "file"), "");
  const [access] = await checkDataFolder(join(folder, "file/.millrace"));
  expect(access).toMatchObject({ status: "problem", remedy: expect.stringContaining("MILLRACE_DATA_DIR") });
});
