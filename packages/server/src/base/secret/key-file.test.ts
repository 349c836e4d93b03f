import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openKeyring } from "./key-file.ts";

const folder = mkdtempSync(join(tmpdir(), "millrace-key-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a missing key file is made once, for its owner only", () => {
  const file = join(folder, "data/encryption-key");
  const made = openKeyring({ file, isMadeIfMissing: true });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(openKeyring({ file, isMadeIfMissing: true }).fingerprint()).toBe(made.fingerprint());
  expect(readdirSync(join(folder, "data"))).toEqual(["encryption-key"]);
});

test("a required key file is not created", () => {
  const file = join(folder, "given-key");
  expect(() => openKeyring({ file, isMadeIfMissing: false })).toThrow(/no encryption key in .*given-key; create one with/);
  expect(existsSync(file)).toBe(false);
});

test("what is not a key is refused without being shown", () => {
  const file = join(folder, "broken-key");
  writeFileSync(file, "not-a-key-but-secret");
  expect(() => openKeyring({ file, isMadeIfMissing: true })).toThrow(/broken-key must be 32 bytes/);
  expect(() => openKeyring({ text: "not-a-key-but-secret", origin: "MILLRACE_ENCRYPTION_KEY" })).toThrow(/^(?!.*but-secret)/);
});
