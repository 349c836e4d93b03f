import { readFileSync } from "node:fs";
import { errors, type Reason } from "@millrace/contract/errors.ts";
import { expect, test } from "vitest";

const page = readFileSync(new URL("../../../../../docs/errors.md", import.meta.url), "utf8");
const rows = [...page.matchAll(/^\| `([A-Z_]+)` *\| (\d+) *\| (\d+) *\| (.+?) *\| (.+?) *\|$/gm)];
const documented = new Map(rows.map(([, reason, code, status]) => [reason!, { code: Number(code), status: Number(status) }]));

test("docs/errors.md has exactly one entry for each reason, with its code and status", () => {
  expect(rows).toHaveLength(documented.size);
  const known = Object.entries(errors).map(([reason, { code, status }]) => [reason, { code, status }]);
  expect([...documented].sort()).toEqual(known.sort());
});

test("each entry says when it comes and what to do", () => {
  for (const [, reason, , , when, remedy] of rows)
    expect({ reason, isComplete: when!.length > 5 && remedy!.length > 5 }).toEqual({ reason, isComplete: true });
});

test("each text has the placeholders that it needs, in order", () => {
  for (const reason of Object.keys(errors) as Reason[]) {
    const gaps = [...errors[reason].text.matchAll(/\{(\d)\}/g)].map(([, index]) => Number(index));
    expect({ reason, gaps }).toEqual({ reason, gaps: gaps.map((_, index) => index) });
  }
});
