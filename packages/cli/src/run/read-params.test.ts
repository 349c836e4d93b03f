import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readDuration, readLabels, readParam, readParamFile } from "./read-params.ts";

test.each([
  ["city=Oslo", { name: "city", value: "Oslo" }],
  ["empty=", { name: "empty", value: "" }],
  ["sum=a=b:=c", { name: "sum", value: "a=b:=c" }],
  ["count:=3", { name: "count", value: 3 }],
  ['list:=["a=b"]', { name: "list", value: ["a=b"] }],
])("the parameter %s is %j", (text, param) => {
  expect(readParam(text)).toEqual(param);
});

test.each(["nothing", "=value", "count:=three-secrets"])("%s is refused as a parameter, and its value is not repeated", (text) => {
  expect(() => readParam(text)).toThrow(/^(?!.*three-secrets)/);
});

test.each([
  [
    "city: Oslo\ncount: 3\n",
    [
      { name: "city", value: "Oslo" },
      { name: "count", value: 3 },
    ],
  ],
  ['[{"name": "city", "value": "Oslo"}]', [{ name: "city", value: "Oslo" }]],
])("a file of parameters can be %j", async (text, params) => {
  expect(await readParamFile(fileWith(text))).toEqual(params);
});

test.each(["- a\n- b", "text", "a: [", ""])("%j is no file of parameters", async (text) => {
  await expect(readParamFile(fileWith(text))).rejects.toMatchObject({ exitCode: 2 });
});

test("labels and durations are read, and a malformed one is refused with an example", () => {
  expect(readLabels(["a=b", "c=d=e", "f="])).toEqual({ a: "b", c: "d=e", f: "" });
  expect(() => readLabels(["a"])).toThrow("a is not a label");
  expect(["90s", "10m", "2h", "5"].map(readDuration)).toEqual([90_000, 600_000, 7_200_000, 5_000]);
  for (const text of ["soon", "-1s", "0", "9999999h"]) expect(() => readDuration(text)).toThrow(`${text} is not a duration`);
});

function fileWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "millrace-params-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "params"), text);
  return join(folder, "params");
}
