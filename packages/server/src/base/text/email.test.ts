import { expect, test } from "vitest";
import { readEmail } from "./email.ts";

test.each([
  ["Ada@Example.com", "ada@example.com"],
  ["jo\u0308rg@example.com", "j\u00f6rg@example.com"],
  ["j\u00f6rg@example.com", "j\u00f6rg@example.com"],
  ["\u7530\u4e2d@example.jp", "\u7530\u4e2d@example.jp"],
  // Normalization may result in a letter with a different case: Angstrom sign, Kelvin sign.
  ["\u212bke@example.com", undefined],
  ["\u212aarl@example.com", undefined],
  ["J\u00d6RG@example.com", undefined],
  ["a\u202eda@example.com", undefined],
  ["ada\u200b@example.com", undefined],
  ["a\u00adda@example.com", undefined],
  ["ada\u2066@example.com", undefined],
  ["ada@exam\u200dple.com", undefined],
  ["ada\ufe0f@example.com", undefined],
  ["ada\u3164@example.com", undefined],
  ["ada\ud800@example.com", undefined],
  ["a b@example.com", undefined],
  ["ada", undefined],
])("%j is stored as %j", (text, email) => expect(readEmail(text)).toBe(email));
