import { expect, test } from "vitest";
import { parse } from "yaml";
import { formatYaml } from "./yaml-text.ts";

test("a text is read back unchanged by parsers of YAML 1.1 and 1.2", () => {
  const texts = ["", ..."n y no on off ~ null 0755 1_000 1e3 0x1f 12:30:45 2001-01-01 = << plain".split(" ")];
  const written = formatYaml({ texts });
  expect([parse(written), parse(written, { version: "1.1" })]).toEqual([{ texts }, { texts }]);
  expect(written).toContain("- plain\n");
});
