import fc from "fast-check";
import { expect, test } from "vitest";
import { toSlug } from "./slug.ts";

test.each([
  ["The Hawks", "the-hawks"],
  ["Ann's  team", "ann-s-team"],
  ["a - b", "a-b"],
  ["Größe_1", "gre1"],
  ["-x-", "-x-"],
  ["日本", ""],
])("%s becomes %s", (text, slug) => expect(toSlug(text)).toBe(slug));

test("a slug of a slug is the slug, and it needs no encoding in a path", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const slug = toSlug(text);
      expect(toSlug(slug)).toBe(slug);
      expect(encodeURIComponent(slug)).toBe(slug);
    }),
  );
});
