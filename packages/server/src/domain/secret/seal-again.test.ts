import { expect, test } from "vitest";
import { Keyring } from "../../base/secret/keyring.ts";
import { envelopesIn, sealAgain } from "./seal-again.ts";

const key = (byte: number) => Buffer.alloc(32, byte);
const place = "team|parameters";

test("a text that is stored keeps its envelope, another one gets a new one", () => {
  const keyring = new Keyring([key(1)]);
  const stored = [{ params: [{ value: keyring.sealText("one", place) }, { value: { key: keyring.sealText("two", place) } }] }];
  const seal = sealAgain(keyring, place, stored);
  expect([seal("one"), seal("two")]).toEqual(envelopesIn(stored));
  expect(keyring.openText(seal("three"), place)).toBe("three");
  expect(seal("three")).not.toBe(seal("three"));
});

test("an envelope of a key that no longer seals is replaced", () => {
  const sealed = new Keyring([key(1)]).sealText("one", place);
  const seal = sealAgain(new Keyring([key(2), key(1)]), place, { value: sealed });
  expect(seal("one")).not.toBe(sealed);
});

test("text that only looks like an envelope, or is bound to another place, is skipped", () => {
  const keyring = new Keyring([key(1)]);
  const elsewhere = keyring.sealText("one", "other place");
  const seal = sealAgain(keyring, place, ["mrsealed:v1:", "mrsealed:v1:AAAA", "mrsealed:v1:?", elsewhere]);
  expect(keyring.openText(seal("one"), place)).toBe("one");
});
