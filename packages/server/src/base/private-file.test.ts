import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writePrivateFile } from "./private-file.ts";

test("only its owner can read the file, also where a readable one stood, and no draft stays", () => {
  const folder = mkdtempSync(join(tmpdir(), "private-file-"));
  const file = join(folder, "token");
  writeFileSync(file, "old", { mode: 0o644 });
  writePrivateFile(file, "new");
  expect(readFileSync(file, "utf8")).toBe("new");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(["token"]);
});

test("missing folders are made for their owner alone", () => {
  const folder = join(mkdtempSync(join(tmpdir(), "private-file-")), "a", "b");
  writePrivateFile(join(folder, "token"), "x");
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});
