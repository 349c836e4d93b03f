import type { AbstractParam } from "@millrace/contract/common.ts";
import { describe, expect, test } from "vitest";
import { documentOf, type WorkflowDocument } from "./workflow-document.ts";
import { maskDocument, sealDocument } from "./workflow-document-secrets.ts";

const declared: AbstractParam[] = [{ name: "url" }, { name: "password", type: "password" }];

function write(params: AbstractParam[], taskParams: { name: string; value?: unknown; hiddenValue?: boolean }[], stored?: WorkflowDocument) {
  const document = documentOf({ name: "w", params, tasks: [{ name: "call", params: taskParams }] });
  return sealDocument(document, {
    declaredBy: () => declared,
    stored,
    newTasks: { asking: new Map() },
    seal: (clear) => `sealed(${clear})`,
  });
}

const token: AbstractParam = { name: "token", type: "password", default: "open sesame" };

test("secrets of the workflow and of its tasks are stored sealed, everything else as it is", () => {
  const document = write(
    [token, { name: "day", default: "today" }],
    [
      { name: "url", value: "http://x" },
      { name: "password", value: "hunter22" },
    ],
  );
  expect(document.params).toEqual([
    { ...token, default: "sealed(open sesame)" },
    { name: "day", default: "today" },
  ]);
  expect(document.tasks[0]?.params).toEqual([
    { name: "url", value: "http://x" },
    { name: "password", value: "sealed(hunter22)", hiddenValue: true },
  ]);
});

test("secrets are read empty, and no read shows what is stored", () => {
  const read = maskDocument(write([token], [{ name: "password", value: "hunter22" }]));
  expect(read.params).toEqual([{ ...token, value: "", default: "", hiddenValue: true }]);
  expect(read.tasks[0]?.params).toEqual([{ name: "password", value: "", hiddenValue: true }]);
  expect(JSON.stringify(read)).not.toContain("sealed");
});

test("what is read and written back keeps its secrets", () => {
  const stored = write([token], [{ name: "password", value: "hunter22" }]);
  const { params, tasks } = maskDocument(stored);
  expect(write(params, tasks[0]?.params ?? [], stored)).toEqual(stored);
});

test("a secret that is written replaces the stored one", () => {
  const stored = write([token], [{ name: "password", value: "hunter22" }]);
  const changed = write([{ ...token, default: "new secret" }], [{ name: "password", value: "new hunter" }], stored);
  expect(changed.params[0]?.default).toBe("sealed(new secret)");
  expect(changed.tasks[0]?.params[0]?.value).toBe("sealed(new hunter)");
});

describe("the value of a task", () => {
  test("that refers to a parameter is not a secret", () => {
    expect(write([], [{ name: "password", value: "$(params.token)" }]).tasks[0]?.params).toEqual([
      { name: "password", value: "$(params.token)" },
    ]);
  });

  test("that only looks like a reference is one", () => {
    expect(write([], [{ name: "password", value: "$(rm -rf)" }]).tasks[0]?.params[0]?.value).toBe("sealed($(rm -rf))");
  });

  test("can't be marked as hidden by a client", () => {
    expect(write([], [{ name: "url", value: "http://x", hiddenValue: true }]).tasks[0]?.params).toEqual([
      { name: "url", value: "http://x" },
    ]);
  });

  test.each([[5], [["a"]], ["abc"]])("is refused without being repeated when it can be no secret: %j", (value) => {
    expect(() => write([], [{ name: "password", value }])).toThrow(/\/tasks\/0\/params\/0\/value of parameter "password" must/);
  });
});
