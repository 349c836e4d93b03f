import { createHash, createHmac, pbkdf2Sync } from "node:crypto";
import { expect, test } from "vitest";
import { Authentication } from "./authenticate.ts";

const asked = (kind: number, text = "") => {
  const head = Buffer.alloc(4);
  head.writeInt32BE(kind);
  return Buffer.concat([head, Buffer.from(text, "latin1")]);
};

/** The server's side of SCRAM-SHA-256, as in RFC 5802. */
class Scram {
  readonly #salted: Buffer;
  #first = "";
  #challenge = "";

  constructor(password: string) {
    this.#salted = pbkdf2Sync(password, "salt", 4096, 32, "sha256");
  }

  challenge(first: Buffer): string {
    this.#first = first
      .subarray("SCRAM-SHA-256".length + 5)
      .toString()
      .replace("n,,", "");
    this.#challenge = `r=${/r=(.*)$/.exec(this.#first)![1]}server,s=${Buffer.from("salt").toString("base64")},i=4096`;
    return this.#challenge;
  }

  /** The server's signature; undefined if the proof is invalid. */
  check(last: string): string | undefined {
    const [, withoutProof = "", proof = ""] = /^(.*),p=(.*)$/.exec(last)!;
    const text = `${this.#first},${this.#challenge},${withoutProof}`;
    const clientKey = hmac(this.#salted, "Client Key");
    const signature = hmac(createHash("sha256").update(clientKey).digest(), text);
    const isProof = Buffer.from(proof, "base64").every((byte, at) => byte === ((clientKey[at] as number) ^ (signature[at] as number)));
    return isProof ? `v=${hmac(hmac(this.#salted, "Server Key"), text).toString("base64")}` : undefined;
  }
}

const hmac = (key: Buffer, text: string) => createHmac("sha256", key).update(text).digest();

test("the password is sent in the form that the server asks for", () => {
  const login = new Authentication("me", "secret");
  expect(login.answer(asked(0))).toBeUndefined();
  expect(login.answer(asked(3))!.toString()).toBe("secret\0");
  const inner = createHash("md5").update("secretme").digest("hex");
  expect(login.answer(asked(5, "salt"))!.toString()).toBe(`md5${createHash("md5").update(`${inner}salt`).digest("hex")}\0`);
  expect(() => login.answer(asked(7))).toThrow(/\(7\) that this driver does not know/);
});

test("with SCRAM both sides prove that they know the password", () => {
  const login = new Authentication("me", "secret");
  const server = new Scram("secret");
  const first = login.answer(asked(10, "SCRAM-SHA-256-PLUS\0SCRAM-SHA-256\0\0"))!;
  const last = login.answer(asked(11, server.challenge(first)))!.toString();
  expect(login.answer(asked(12, server.check(last)!))).toBeUndefined();
  expect(login.answer(asked(0))).toBeUndefined();
});

test.each([
  ["lets us in", 0],
  ["asks for the password in clear", 3],
  ["asks for a hash of the password", 5],
])("a server that %s instead of its own proof is refused", (_what, kind) => {
  const login = new Authentication("me", "secret");
  const server = new Scram("secret");
  const first = login.answer(asked(10, "SCRAM-SHA-256\0\0"))!;
  expect(() => login.answer(asked(kind, "salt"))).toThrow(/left out its proof/);
  login.answer(asked(11, server.challenge(first)));
  expect(() => login.answer(asked(kind, "salt"))).toThrow(/left out its proof/);
});

test("a server that does not know the password, or answers another client, is refused", () => {
  const login = new Authentication("me", "secret");
  const server = new Scram("another");
  const first = login.answer(asked(10, "SCRAM-SHA-256\0\0"))!;
  expect(server.check(login.answer(asked(11, server.challenge(first)))!.toString())).toBeUndefined();
  expect(() => login.answer(asked(12, `v=${Buffer.alloc(32).toString("base64")}`))).toThrow(/does not know the password itself/);
  expect(() => login.answer(asked(11, "r=elsewhere,s=AAAA,i=4096"))).toThrow(/another client/);
  expect(() => new Authentication("me", "secret").answer(asked(10, "OTHER\0\0"))).toThrow(/offers only OTHER/);
});
