import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { chatSignatureFault, codehostSignatureFault } from "./platform-signatures.ts";

const secret = "example-signing-secret";
const body = Buffer.from('{"type":"url_verification","challenge":"abc123"}');
const timestamp = "1700000000";
const signature = "v0=d054dcb1bcf4116004a85faf11c3ff815205506e0b831b7916bde19a95b6f80d";
const at = 1_700_000_000;

describe("the signature of the chat platform", () => {
  test("holds for the published example, up to 300 seconds to either side", () => {
    for (const now of [at, at + 300, at - 300]) expect(chatSignatureFault(secret, { signature, timestamp }, body, now)).toBeUndefined();
    for (const now of [at + 301, at - 301])
      expect(chatSignatureFault(secret, { signature, timestamp }, body, now)).toContain("more than 300 seconds");
  });

  test.each([
    ["another secret", "other", { signature, timestamp }, body],
    ["another time", secret, { signature, timestamp: "1700000001" }, body],
    ["another body", secret, { signature, timestamp }, Buffer.from(`${body} `)],
    ["a mark of byte order before the body", secret, { signature, timestamp }, Buffer.concat([Buffer.from("\ufeff"), body])],
    ["upper case", secret, { signature: signature.toUpperCase(), timestamp }, body],
    ["a shorter one", secret, { signature: signature.slice(0, -1), timestamp }, body],
    ["none", secret, { signature: "", timestamp }, body],
    ["a missing one", secret, { signature: undefined, timestamp }, body],
    ["a missing time", secret, { signature, timestamp: undefined }, body],
    ["a time that is none", secret, { signature, timestamp: "17e8" }, body],
  ])("does not hold for %s", (_, key, given, bytes) => expect(chatSignatureFault(key, given, bytes, at)).toEqual(expect.any(String)));
});

test("the signature of the codehost is over the bytes of the body", () => {
  const right = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
  expect(codehostSignatureFault(secret, right, body)).toBeUndefined();
  for (const wrong of [undefined, "", "sha256=", right.slice(7), right.replace(/.$/, (last) => (last === "0" ? "1" : "0"))]) {
    expect(codehostSignatureFault(secret, wrong, body)).toEqual(expect.any(String));
  }
  expect(codehostSignatureFault("other", right, body)).toContain("does not match");
});
