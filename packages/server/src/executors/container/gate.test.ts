import { expect, test } from "vitest";
import { Gate } from "./gate.ts";

test("so many pass at a time, in their order, and what fails gives its place back", async () => {
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

test("what never ends keeps nobody from passing for longer than the patience", async () => {
  const gate = new Gate(1, 1);
  void gate.pass(() => new Promise(() => undefined));
  await gate.pass(async () => undefined);
  await gate.pass(async () => undefined);
});
