import { randomBytes } from "node:crypto";
import { inspect } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EnvelopeError, isEnvelopeText } from "./envelope.ts";
import { Keyring, newKeyText, parseKeys } from "./keyring.ts";

const secret = randomBytes(32);
const keyring = new Keyring([secret]);
const place = "team-1|workflow_version|row-1|document";

describe("Keyring", () => {
  it("opens what it sealed, as bytes and as text, whatever it is", () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.string({ unit: "grapheme" }), fc.string(), (bytes, text, anyPlace) => {
        expect(Buffer.from(keyring.open(keyring.seal(bytes, anyPlace), anyPlace))).toEqual(Buffer.from(bytes));
        expect(keyring.openText(keyring.sealText(text, anyPlace), anyPlace)).toBe(text);
      }),
    );
  });

  it("never seals the same twice the same way, and shows nothing of it", () => {
    const sealed = keyring.sealText("hunter2-hunter2", place);
    expect(sealed).toMatch(/^mrsealed:v1:[\w-]+$/);
    expect(isEnvelopeText(sealed)).toBe(true);
    expect(sealed).not.toBe(keyring.sealText("hunter2-hunter2", place));
    expect(Buffer.from(keyring.seal(Buffer.from("hunter2-hunter2"), place)).includes("hunter2")).toBe(false);
  });

  it("does not open an envelope in another place", () => {
    const sealed = keyring.seal(Buffer.from("secret"), place);
    for (const other of ["", "team-2|workflow_version|row-1|document", `${place} `])
      expect(() => keyring.open(sealed, other)).toThrow(EnvelopeError);
  });

  it("does not open an envelope that was changed, cut or extended", () => {
    const sealed = keyring.seal(Buffer.from("a secret value"), place);
    for (let index = 0; index < sealed.length; index += 1) {
      const changed = Uint8Array.from(sealed);
      changed[index]! ^= 1 << (index % 8);
      expect(() => keyring.open(changed, place)).toThrow(EnvelopeError);
      expect(() => keyring.open(sealed.subarray(0, index), place)).toThrow(EnvelopeError);
    }
    expect(() => keyring.open(Buffer.concat([sealed, Buffer.from([0])]), place)).toThrow(EnvelopeError);
  });

  it("refuses any text that is not an envelope with an EnvelopeError", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((text) => `mrsealed:v1:${text}`),
        ),
        (text) => {
          expect(() => keyring.openText(text, place)).toThrow(EnvelopeError);
        },
      ),
    );
  });

  it("opens with every key, and seals with the first", () => {
    const next = randomBytes(32);
    const old = keyring.sealText("value", place);
    const rotated = new Keyring([next, secret]);
    expect(rotated.openText(old, place)).toBe("value");
    const renewed = rotated.sealText("value", place);
    expect(new Keyring([next]).openText(renewed, place)).toBe("value");
    expect(() => new Keyring([next]).openText(old, place)).toThrow(/encrypted with the key [0-9a-f]{16}, which is not configured here/);
    expect(rotated.ids()).toEqual([rotated.fingerprint(), keyring.fingerprint()]);
    expect(rotated.has(keyring.fingerprint())).toBe(true);
    expect(keyring.has(rotated.fingerprint())).toBe(false);
  });

  it("has a fingerprint that stays and does not reveal the key", () => {
    expect(keyring.fingerprint()).toMatch(/^[0-9a-f]{16}$/);
    expect(new Keyring([secret]).fingerprint()).toBe(keyring.fingerprint());
    expect(secret.toString("hex")).not.toContain(keyring.fingerprint());
  });

  it("shows no key when it is printed", () => {
    const printed = JSON.stringify({ keyring }) + inspect(keyring, { depth: 10, showHidden: true });
    expect(printed).not.toContain(secret.toString("hex").slice(0, 8));
    expect(printed).not.toContain([...secret.subarray(0, 4)].join(", "));
    expect(printed).not.toContain((secret.toString("hex").match(/../g) ?? []).slice(0, 4).join(" "));
  });
});

describe("parseKeys", () => {
  const bytes = Buffer.from(secret);
  it.each([
    ["base64", bytes.toString("base64")],
    ["base64 without padding", bytes.toString("base64").replace(/=+$/, "")],
    ["base64url", bytes.toString("base64url")],
    ["hex", bytes.toString("hex")],
    ["upper case hex with a line end", `${bytes.toString("hex").toUpperCase()}\n`],
  ])("reads %s", (_, text) => {
    expect(parseKeys(text, "the key file").map((key) => Buffer.from(key).toString("hex"))).toEqual([bytes.toString("hex")]);
  });

  it("reads several, the sealing one first", () => {
    const [one, two] = [newKeyText(), newKeyText()];
    const keys = parseKeys(`${one},\n${two}\n`, "X");
    expect(keys.map((key) => Buffer.from(key).toString("base64"))).toEqual([one, two]);
    expect(new Keyring(keys).fingerprint()).toBe(new Keyring(parseKeys(one, "X")).fingerprint());
  });

  it.each([
    ["", /MILLRACE_ENCRYPTION_KEY contains no encryption key; create one with: openssl rand -base64 32/],
    ["hunter2-hunter2!", /must be 32 bytes.*neither hex nor base64/],
    ["aGVsbG8=", /8 characters, 5 bytes in base64/],
    [randomBytes(31).toString("hex"), /62 characters/],
    [`${newKeyText()} short`, /key 2 must be 32 bytes/],
  ])("refuses %j without repeating it", (text, message) => {
    let problem: Error | undefined;
    try {
      parseKeys(text, "MILLRACE_ENCRYPTION_KEY");
    } catch (error) {
      problem = error as Error;
    }
    expect(problem?.message).toMatch(message);
    if (text.length > 10) expect(problem?.message).not.toContain(text);
  });
});

describe("a signature", () => {
  const [one, two] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const signature = new Keyring([one]).sign("text", "purpose");

  it("holds for its text, its purpose and its key, also when the key only opens any more", () => {
    expect(signature).toMatch(/^[\w-]{43}$/);
    expect(new Keyring([one]).isSigned("text", "purpose", signature)).toBe(true);
    expect(new Keyring([two, one]).isSigned("text", "purpose", signature)).toBe(true);
    expect(new Keyring([two, one]).sign("text", "purpose")).not.toBe(signature);
  });

  it("holds for nothing else", () => {
    const keyring = new Keyring([one]);
    expect(new Keyring([two]).isSigned("text", "purpose", signature)).toBe(false);
    expect(keyring.isSigned("text.", "purpose", signature)).toBe(false);
    expect(keyring.isSigned("text", "other", signature)).toBe(false);
    for (const wrong of ["", "A", signature.slice(1), `${signature}=`, ` ${signature}`, signature.toUpperCase()]) {
      expect(keyring.isSigned("text", "purpose", wrong)).toBe(false);
    }
  });
});
