import fc from "fast-check";
import { expect, test } from "vitest";
import { hashToken, isTokenText, newTokenText } from "./token-text.ts";

test("a new token has its prefix, passes its own check and is never made twice", () => {
  const made = Array.from({ length: 1000 }, () => newTokenText("mrt_"));
  expect(made.every((text) => text.startsWith("mrt_") && isTokenText(text))).toBe(true);
  expect(new Set(made).size).toBe(1000);
});

test("a token with one character changed, added or lost is refused", () => {
  const text = newTokenText("mrg_");
  fc.assert(
    fc.property(fc.nat(text.length - 1), fc.constantFrom(..."abcXYZ019_"), (at, character) => {
      const changed = text.slice(0, at) + character + text.slice(at + 1);
      expect(isTokenText(changed)).toBe(changed === text);
      expect(isTokenText(text.slice(0, at) + character + text.slice(at))).toBe(false);
      expect(isTokenText(text.slice(0, at) + text.slice(at + 1))).toBe(false);
    }),
  );
});

test("the check never throws", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(isTokenText(text)).toBe(false);
    }),
  );
});

test("the hash is SHA-256 of the whole text", () => {
  expect(hashToken("abc").toString("hex")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});
