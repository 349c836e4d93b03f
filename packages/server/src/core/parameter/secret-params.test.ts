import type { AbstractParam } from "@millrace/contract/common.ts";
import { describe, expect, it, test } from "vitest";
import { AppError } from "../../base/error/app-error.ts";
import { Keyring } from "../../base/secret/keyring.ts";
import type { PlanTask } from "../workflow/plan.ts";
import {
  declaredValues,
  hasNodeSecrets,
  isSecretParam,
  maskParams,
  nodeSecretTexts,
  nodeValues,
  openParams,
  sealParams,
} from "./secret-params.ts";

const keyring = new Keyring([new Uint8Array(32).fill(7)]);
const seal = (clear: string) => keyring.sealText(clear, "here");
const open = (sealed: string) => keyring.openText(sealed, "here");
const secret = (name: string, more: Partial<AbstractParam> = {}): AbstractParam => ({ name, type: "password", ...more });

describe("sealParams", () => {
  const stored = sealParams([secret("token", { value: "stored-token", default: "stored-default" })], [], seal);

  it("seals value and default of secrets, and leaves all other parameters alone", () => {
    const plain = { name: "user", type: "text", default: "ada", hiddenValue: true };
    const sealed = sealParams(
      [plain, secret("token", { value: "hunter2", default: "other2", label: "Token", hiddenValue: true })],
      [],
      seal,
    );
    expect(sealed[0]).toBe(plain);
    expect(sealed[1]).toEqual({
      name: "token",
      type: "password",
      label: "Token",
      value: expect.stringMatching(/^mrsealed:v1:/),
      default: expect.stringMatching(/^mrsealed:v1:/),
    });
    expect(JSON.stringify(sealed)).not.toContain("hunter2");
    expect(openParams(sealed, open)[1]).toMatchObject({ value: "hunter2", default: "other2" });
  });

  it.each([undefined, null, ""])("keeps what is stored under that name when the write has %j", (left) => {
    const kept = sealParams([secret("token", { value: left, default: left })], stored, seal);
    expect(openParams(kept, open)[0]).toMatchObject({ value: "stored-token", default: "stored-default" });
  });

  it("keeps what a read showed, written back", () => {
    expect(openParams(sealParams(maskParams(stored), stored, seal), open)[0]).toMatchObject({
      value: "stored-token",
      default: "stored-default",
    });
  });

  it("replaces one member and keeps the other", () => {
    expect(openParams(sealParams([secret("token", { value: "new-token" })], stored, seal), open)[0]).toMatchObject({
      value: "new-token",
      default: "stored-default",
    });
  });

  it("gives a stored secret to no other name and to no parameter that is not secret", () => {
    const written = sealParams([secret("other"), { name: "token", type: "text", value: "" }], stored, seal);
    expect(written).toEqual([
      { name: "other", type: "password" },
      { name: "token", type: "text", value: "" },
    ]);
  });

  it("takes nothing over from a parameter that was not secret before", () => {
    expect(sealParams([secret("a")], [{ name: "a", type: "text", value: "visible" }], seal)).toEqual([{ name: "a", type: "password" }]);
  });

  it("seals text that looks sealed again, so that no envelope can be injected", () => {
    const envelope = stored[0]?.value as string;
    expect(openParams(sealParams([secret("mine", { value: envelope })], [], seal), open)[0]?.value).toBe(envelope);
  });

  it.each([
    ["abc", /at least 4 characters/],
    [12345, /must be text.*number/],
    [["a-list"], /a list/],
    ["x".repeat(70_000), /at most 65536/],
  ])("refuses the secret %#, naming it but not its value", (value, message) => {
    let problem: unknown;
    try {
      sealParams([{ name: "a" }, secret("pin", { default: value })], [], seal, "/spec/params");
    } catch (error) {
      problem = error;
    }
    expect(problem).toBeInstanceOf(AppError);
    const { reason, details } = problem as AppError;
    expect(reason).toBe("VALIDATION_FAILED");
    expect(details).toEqual([{ path: "/spec/params/1/default", message: expect.stringMatching(message) }]);
    expect(details?.[0]?.message).toContain('"pin"');
    expect(details?.[0]?.message).not.toContain("12345");
  });
});

describe("maskParams", () => {
  it("shows nothing of a secret, not even whether there is one", () => {
    const shown = maskParams([secret("a", { value: "mrsealed:v1:xyz", label: "A" }), secret("b"), { name: "c", value: "seen" }]);
    expect(shown).toEqual([
      { name: "a", type: "password", label: "A", value: "", default: "", hiddenValue: true },
      { name: "b", type: "password", value: "", default: "", hiddenValue: true },
      { name: "c", value: "seen" },
    ]);
  });
});

describe("openParams", () => {
  it("opens only what is sealed in a secret", () => {
    const params = [secret("a", { default: "" }), { name: "b", type: "text", value: "mrsealed:v1:not-ours" }];
    expect(openParams(params, () => expect.fail("nothing to openFor"))).toEqual(params);
  });
});

it("knows a secret by its type, however it is written", () => {
  expect([{ type: "password" }, { type: "Password" }, { type: "text" }, {}].map(isSecretParam)).toEqual([true, true, false, false]);
});

const params = [
  { name: "url", value: "http://x" },
  { name: "password", value: "sealed", hiddenValue: true },
];
const openFor = (sealed: string, holder: string) => `opened ${sealed} of ${holder}`;
const task = (isGlobal: boolean) =>
  ({ isGlobal, spec: { params: [{ name: "key", type: "password", default: "mrsealed:v1:x" }, { name: "url" }] } }) as unknown as PlanTask;

test("what the core sees and shows is a mask", () => {
  expect(nodeValues(params)).toEqual([
    { name: "url", value: "http://x" },
    { name: "password", value: "******" },
  ]);
});

test("for the executor secrets are opened, and reported so that its output can be masked", () => {
  expect(nodeValues(params, openFor)[1]).toEqual({ name: "password", value: "opened sealed of workflow" });
  expect(nodeSecretTexts({ params, task: task(true) }, openFor)).toEqual([
    "opened sealed of workflow",
    "opened mrsealed:v1:x of globaltask",
  ]);
});

test("the default of a secret parameter of a definition is one too", () => {
  expect(declaredValues({ task: task(false) })[0]).toMatchObject({ name: "key", default: "******" });
  expect(declaredValues({ task: task(false) }, openFor)[0]).toMatchObject({ name: "key", default: "opened mrsealed:v1:x of task" });
  expect(hasNodeSecrets({ params: [], task: task(false) })).toBe(true);
  expect(hasNodeSecrets({ params: [], task: undefined })).toBe(false);
});
