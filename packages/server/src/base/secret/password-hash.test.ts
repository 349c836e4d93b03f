import { expect, test } from "vitest";
import { hashPassword, isPassword } from "./password-hash.ts";

test("only the same password matches its hash, and each hash is different", async () => {
  const stored = await hashPassword("correct horse");
  expect(await isPassword("correct horse", stored)).toBe(true);
  expect(await isPassword("correct horsE", stored)).toBe(false);
  expect(await hashPassword("correct horse")).not.toBe(stored);
  expect(stored).not.toContain("correct");
  // Unless a lower cost is given, which no code of the service does, it is what OWASP recommends.
  expect(stored).toMatch(/^scrypt\$32768\$8\$3\$/);
});

test("the same letters in another Unicode form are the same password", async () => {
  expect(await isPassword("e\u0301te\u0301 2026", await hashPassword("\u00e9t\u00e9 2026"))).toBe(true);
});

test("a stored text of an unknown kind is an error, not a refusal", async () => {
  await expect(isPassword("x", "md5$abc")).rejects.toThrow("unknown kind");
});
