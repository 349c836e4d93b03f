import {
  chmodSync,
  chownSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { privacyFault, refuseForeignFolder, writePrivateFile } from "./private-file.ts";

test("only the owner can read the file, also if a readable one existed, and no temporary file stays", () => {
  const folder = mkdtempSync(join(tmpdir(), "private-file-"));
  const file = join(folder, "token");
  writeFileSync(file, "old", { mode: 0o644 });
  writePrivateFile(file, "new");
  expect(readFileSync(file, "utf8")).toBe("new");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(["token"]);
});

test("an existing temporary file is neither followed nor left readable", () => {
  const folder = mkdtempSync(join(tmpdir(), "private-file-"));
  const [file, other] = [join(folder, "token"), join(folder, "other")];
  const draft = `${file}.${process.pid}`;
  writeFileSync(other, "untouched");
  symlinkSync(other, draft);
  writePrivateFile(file, "new");
  expect([readFileSync(other, "utf8"), lstatSync(file).isFile()]).toEqual(["untouched", true]);
  writeFileSync(draft, "", { mode: 0o644 });
  writePrivateFile(file, "newer");
  expect([readFileSync(file, "utf8"), statSync(file).mode & 0o777]).toEqual(["newer", 0o600]);
});

test("missing folders are created for their owner alone", () => {
  const folder = join(mkdtempSync(join(tmpdir(), "private-file-")), "a", "b");
  writePrivateFile(join(folder, "token"), "x");
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test.each([
  [0o600, undefined],
  [0o400, undefined],
  [0o640, /^The key .*token has the mode 0640: its group can read it\. Correct it with: chmod 600 .*token$/],
  [0o644, /its group and every user of this machine can read it/],
  [0o604, /0604: every user of this machine can read it/],
  [0o666, /can change it/],
])("a file of secrets with the mode %o", (mode, fault) => {
  const file = join(mkdtempSync(join(tmpdir(), "private-file-")), "token");
  writeFileSync(file, "secret");
  chmodSync(file, mode);
  const found = privacyFault(file, "The key");
  if (fault) expect(found).toMatch(fault);
  else expect(found).toBeUndefined();
});

test.each([
  [0o700, undefined],
  [0o711, undefined],
  [0o755, /can list it\. Correct it with: chmod go-rw/],
  [0o733, /can change it/],
])("a folder of secrets with the mode %o", (mode, fault) => {
  const folder = join(mkdtempSync(join(tmpdir(), "private-file-")), "data");
  mkdirSync(folder);
  chmodSync(folder, mode);
  if (fault) expect(privacyFault(folder, "The data folder")).toMatch(fault);
  else expect(privacyFault(folder, "The data folder")).toBeUndefined();
  expect(privacyFault(join(folder, "missing"), "X")).toBeUndefined();
});

test.runIf(process.getuid?.() === 0)(
  "a file of another owner may be readable by the group through which this process reads it, and by nobody else",
  () => {
    const file = join(mkdtempSync(join(tmpdir(), "private-file-")), "key");
    writeFileSync(file, "secret");
    chownSync(file, 12_345, 12_345);
    chmodSync(file, 0o440);
    expect(privacyFault(file, "The key")).toBeUndefined();
    chmodSync(file, 0o444);
    expect(privacyFault(file, "The key")).toMatch(/every user of this machine can read it\. Correct it with: chmod g-wx,o= /);
  },
);

test.skipIf(process.getuid?.() !== 0)("a data folder of another user is refused, and so is a link by or to that user", () => {
  const parent = mkdtempSync(join(tmpdir(), "private-file-"));
  const [own, theirs, theirLink, linkToTheirs] = ["own", "theirs", "their-link", "link-to-theirs"].map((name) => join(parent, name)) as [
    string,
    string,
    string,
    string,
  ];
  mkdirSync(own);
  mkdirSync(theirs);
  chownSync(theirs, 1234, 1234);
  symlinkSync(own, theirLink);
  lchownSync(theirLink, 1234, 1234);
  symlinkSync(theirs, linkToTheirs);
  for (const folder of [theirs, theirLink, linkToTheirs])
    expect(() => refuseForeignFolder(folder)).toThrow(/belongs to another user \(uid 1234\).* set MILLRACE_DATA_DIR=/);
  for (const folder of [own, join(parent, "missing"), join(parent, "missing/inside")])
    expect(() => refuseForeignFolder(folder)).not.toThrow();
});
