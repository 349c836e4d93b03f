import type { AbstractParam } from "@millrace/contract/common.ts";
import { describe, expect, it } from "vitest";
import { AppError } from "../../base/error/app-error.ts";
import { Keyring } from "../../base/secret/keyring.ts";
import { sealedTexts } from "../secret/sealed-columns.ts";
import { maskParams, openParams, sealParams } from "./secret-params.ts";

const keyring = new Keyring([new Uint8Array(32).fill(7)]);
const seal = (clear: string) => keyring.sealText(clear, "here");
const open = (sealed: string) => keyring.openText(sealed, "here");
const registry = (value: unknown, more: Partial<AbstractParam> = {}): AbstractParam => ({
  name: "registry",
  type: "secret",
  value,
  ...more,
});
const stored = sealParams([registry({ user: "someone", password: "hunter22" })], [], seal);
const opened = (written: AbstractParam, before = stored) => openParams(sealParams([written], before, seal), open)[0]?.value;

describe("a secret with keys", () => {
  it("is sealed key by key, and reads as its keys", () => {
    expect(JSON.stringify(stored)).not.toMatch(/someone|hunter22/);
    expect(openParams(stored, open)[0]?.value).toEqual({ user: "someone", password: "hunter22" });
    expect(maskParams(stored)[0]).toEqual(registry({ user: "", password: "" }, { default: "", hiddenValue: true }));
    expect(sealedTexts("params", JSON.stringify(stored))).toHaveLength(2);
  });

  it("keeps the texts of keys that are left empty, and removes keys that are not named", () => {
    expect(opened(registry({ user: "", password: "another" }))).toEqual({ user: "someone", password: "another" });
    expect(opened(registry({ password: "" }))).toEqual({ password: "hunter22" });
    expect(opened(registry({ user: "", token: "new-token" }))).toEqual({ user: "someone", token: "new-token" });
    for (const left of [undefined, null, ""]) expect(opened(registry(left))).toEqual({ user: "someone", password: "hunter22" });
    expect(opened(maskParams(stored)[0] as AbstractParam)).toEqual({ user: "someone", password: "hunter22" });
  });

  it("has short texts too, sealed and hidden like the others: a port, a user", () => {
    const mail = sealParams([registry({ port: "465", user: "ci", password: "hunter22" })], [], seal);
    expect(sealedTexts("params", JSON.stringify(mail))).toHaveLength(3);
    expect(openParams(mail, open)[0]?.value).toEqual({ port: "465", user: "ci", password: "hunter22" });
    expect(maskParams(mail)[0]?.value).toEqual({ port: "", user: "", password: "" });
  });

  it("takes nothing from a password of that name, nor gives it anything", () => {
    const password = sealParams([{ name: "registry", type: "password", value: "hunter22" }], [], seal);
    expect(() => opened(registry({ user: "" }), password)).toThrow('has no text for the key "user", and none is stored');
    expect(opened(registry({ user: "another" }), password)).toEqual({ user: "another" });
    const lost = "is missing: the stored secret is of type";
    expect(() => opened(registry(undefined), password)).toThrow(`${lost} password and can't become one of type secret`);
    expect(() => opened({ name: "registry", type: "password", value: "" })).toThrow(`${lost} secret and can't become one of type password`);
  });

  it("keeps what was stored with this type as text before secrets had keys, and never shows it", () => {
    for (const before of [registry("plain-text"), registry(undefined, { default: "plain-text" })]) {
      const [kept] = openParams(sealParams([registry(undefined, { description: "new" })], [before], seal), open);
      expect(kept?.value || kept?.default).toBe(before.value ?? before.default);
      expect(JSON.stringify(maskParams([before]))).not.toContain("plain-text");
      expect(opened(registry({ user: "someone" }), [before])).toEqual({ user: "someone" });
    }
  });

  it.each([
    ["text", "hunter22", "must be an object of texts"],
    ["a list", ["hunter22"], "but is a list"],
    ["a number in a key", { port: 5432 }, 'has the key "port", which must be text'],
    ["a key with a slash", { "a/b": "hunter22" }, 'has the key "a/b"; a key has letters'],
    ["a key that is a folder", { "..": "hunter22" }, "a key has letters"],
    ["a key that every object has", { constructor: "" }, 'has no text for the key "constructor"'],
    ["a key without text", { other: "" }, 'has no text for the key "other"'],
    [
      "10,000 keys",
      Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`k${n}`, "hunter22"])),
      "has 10000 keys; it can have at most 1000",
    ],
    ["more than a mebibyte", Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`k${n}`, "x".repeat(60_000)])), "at most 1048576"],
  ])("refuses %s, and never says what it was", (_, value, message) => {
    const refused = () => sealParams([registry(value)], stored, seal);
    expect(refused).toThrow(message);
    expect(refused).toThrow(AppError);
    expect(refused).not.toThrow("hunter22");
  });

  it("belongs to a team or the instance: no form of a workflow or a task fills it in", () => {
    expect(() => sealParams([registry({ user: "someone" })], [], seal, "/params", true)).toThrow("which only parameters of a team");
    expect(() => sealParams([registry(undefined, { default: { user: "someone" } })], [], seal)).toThrow("has a value only");
  });
});
