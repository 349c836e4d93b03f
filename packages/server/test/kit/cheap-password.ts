import { scryptSync } from "node:crypto";
import type { PasswordCost } from "../../src/base/secret/password-hash.ts";

/** No test of an endpoint is about the cost, which is stored in each hash. */
export const cheapPasswordCost: PasswordCost = { N: 1024, r: 8, p: 1 };

/** A hash that is checked quickly. */
export function cheapPasswordHash(password: string): string {
  const { N, r, p } = cheapPasswordCost;
  const salt = Buffer.from("salt of the tests");
  const key = scryptSync(password, salt, 32, { N, r, p });
  return ["scrypt", N, r, p, salt.toString("base64"), key.toString("base64")].join("$");
}
