import { expect, test } from "vitest";
import { Gate } from "./gate.ts";

test("a limited number passes at a time, in order, and a failed one frees its place", async () => {
  const gate = new Gate(1, 60_000);
  const passed: number[] = [];
  let release: () => void = () => undefined;
  const first = gate.pass(() => new Promise<void>((resolve) => (release = resolve)));
  const others = [1, 2].map((one) => gate.pass(async () => void passed.push(one)));
  expect(passed).toEqual([]);
  release();
  await Promise.all([first, ...others]);
  expect(passed).toEqual([1, 2]);
  await expect(gate.pass(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  await gate.pass(async () => undefined);
});

test("one that never ends blocks others no longer than the timeout", async () => {
  const gate = new Gate(1, 1);
  void gate.pass(() => new Promise(() => undefined));
  await gate.pass(async () => undefined);
  await gate.pass(async () => undefined);
});
