import { expect, test } from "vitest";
import { bodyOf, curlCommand, labelsOf, noOptions, shellQuoted } from "./run-body.ts";

test("a submission says only what differs from the workflow", () => {
  expect(bodyOf([], noOptions)).toEqual({ trigger: "manual" });
  const options = { ...noOptions, labels: ["a=b=c", "d"], version: "2", timeout: "0", retries: "3", isDebug: true };
  expect(bodyOf([{ name: "p", value: 1 }], options)).toEqual({
    trigger: "manual",
    params: [{ name: "p", value: 1 }],
    labels: { a: "b=c", d: "" },
    workflowVersion: 2,
    timeout: 0,
    retries: 3,
    debug: true,
  });
  expect(labelsOf([])).toEqual({});
});

test("each value in a command stays one word", () => {
  expect(shellQuoted("it's $HOME `x`")).toBe(`'it'\\''s $HOME \`x\`'`);
  expect(curlCommand({ url: "http://h/?a=b&c", body: { a: "'" } })).toContain(`"a": "'\\''"`);
});
