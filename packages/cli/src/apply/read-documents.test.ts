import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readDocuments } from "./read-documents.ts";

function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), "millrace-apply-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

test("the documents of a folder are read in the order of their names, and each keeps its file and line", () => {
  const folder = folderWith({
    "b/two.yml": "kind: Two\nname: two",
    "a.yaml": "kind: One\nname: one\n",
    "c.json": '[{"kind": "Three"}, {"kind": "Four"}]',
    "notes.md": "# no document",
    ".hidden.yaml": "kind: Hidden\n",
    "node_modules/x.yaml": "kind: Foreign\n",
  });
  const set = readDocuments([folder]);
  const lines = ["kind: One", "name: one", "---", "kind: Two", "name: two", "---", '{"kind":"Three"}', "---", '{"kind":"Four"}', ""];
  expect(set.text.split("\n")).toEqual(lines);
  expect([1, 2, 4, 5, 7, 9, 99].map((line) => set.placeOf(line)?.slice(folder.length + 1))).toEqual([
    ...["a.yaml:1", "a.yaml:2", "b/two.yml:1", "b/two.yml:2", "c.json", "c.json"],
    undefined,
  ]);
});

test.each([
  [{ "x.txt": "" }, "", 4, "They end in"],
  [{ "x.json": "{" }, "x.json", 2, "is not valid JSON"],
  [{}, "missing.yaml", 4, "there is no such file"],
])("%j with the wanted status %j gives the exit code %d", (files, name, exitCode, says) => {
  const path = join(folderWith(files), name);
  try {
    readDocuments([path]);
    expect.unreachable();
  } catch (error) {
    expect(error).toMatchObject({ exitCode });
    expect(`${(error as Error).message} ${(error as { remedy?: string }).remedy}`).toContain(says);
  }
});
