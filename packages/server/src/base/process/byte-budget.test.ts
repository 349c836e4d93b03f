import { expect, test } from "vitest";
import { ByteBudget } from "./byte-budget.ts";

test("stays below its total, and admits in the order of asking", async () => {
  const budget = new ByteBudget(100);
  const order: string[] = [];
  const [first, second] = [await budget.reserve(60), await budget.reserve(30)];
  const large = budget.reserve(80).then((reservation) => {
    order.push("large");
    return reservation;
  });
  const small = budget.reserve(5).then(() => order.push("small"));
  expect([budget.used, budget.isShort]).toEqual([90, true]);
  first?.release();
  expect([budget.used, budget.isShort], "the small one would fit, and is not let in first").toEqual([30, true]);
  second?.release();
  await Promise.all([large, small]);
  expect(order).toEqual(["large", "small"]);
  expect([budget.used, budget.isShort]).toEqual([85, false]);
  (await large)?.release();
  (await large)?.release();
  expect(budget.used).toBe(5);
});

test("groups take turns, however many of one wait", async () => {
  const budget = new ByteBudget(10);
  const first = await budget.reserve(10, undefined, "busy");
  const order: string[] = [];
  const ask = async (group: string, name: string) => {
    const reservation = await budget.reserve(10, undefined, group);
    order.push(name);
    reservation?.release();
  };
  const all = [...Array.from({ length: 5 }, (_, index) => ask("busy", `busy ${index}`)), ask("other", "other 0"), ask("third", "third 0")];
  first?.release();
  await Promise.all(all);
  expect(order).toEqual(["busy 0", "other 0", "third 0", "busy 1", "busy 2", "busy 3", "busy 4"]);
});

test("a shrinking reservation admits waiters, and never grows", async () => {
  const budget = new ByteBudget(100);
  const held = await budget.reserve(100);
  const waiting = budget.reserve(80);
  held?.shrinkTo(20);
  held?.shrinkTo(50);
  await waiting;
  expect(budget.used).toBe(100);
});

test("a cancelled waiter holds nothing and blocks nobody", async () => {
  const budget = new ByteBudget(100);
  await budget.reserve(50);
  const leaving = new AbortController();
  const large = budget.reserve(90, leaving.signal);
  const small = budget.reserve(50);
  leaving.abort();
  expect(await large).toBeUndefined();
  expect(await budget.reserve(1, leaving.signal)).toBeUndefined();
  await small;
  expect(budget.used).toBe(100);
});

test("a request for more than the total gets all of it, alone", async () => {
  const budget = new ByteBudget(100);
  expect(await budget.use(1000, async () => budget.used)).toBe(100);
  await expect(budget.use(10, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(budget.used).toBe(0);
});
