import { scryptSync } from "node:crypto";

/** A hash that is checked quickly: its cost is stored in it, and no test is about the cost. */
export function cheapPasswordHash(password: string): string {
  const salt = Buffer.from("salt of the tests");
  const key = scryptSync(password, salt, 32, { N: 1024, r: 8, p: 1 });
  return ["scrypt", 1024, 8, 1, salt.toString("base64"), key.toString("base64")].join("$");
}
