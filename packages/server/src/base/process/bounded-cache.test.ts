import { expect, test } from "vitest";
import { BoundedCache, readCacheFigures } from "./bounded-cache.ts";

const figuresOf = (name: string) => readCacheFigures().find((figures) => figures.name === name);

test("the least recently used entry is evicted first", () => {
  const cache = new BoundedCache<{ n: number }>("test-entries", { maxEntries: 2 });
  cache.set("a", { n: 1 });
  cache.set("b", { n: 2 });
  cache.get("a");
  cache.set("c", { n: 3 });
  expect([cache.peek("a")?.n, cache.peek("b"), cache.peek("c")?.n]).toEqual([1, undefined, 3]);
});

test("entries of several sizes are bounded by their bytes, and one that is too large for all is not kept", () => {
  const cache = new BoundedCache<{ bytes: number }>("test-bytes", { maxBytes: 100, bytesOf: ({ bytes }) => bytes });
  for (const [key, bytes] of Object.entries({ a: 40, b: 40, c: 40 })) cache.set(key, { bytes });
  expect([...cache.keys()].sort()).toEqual(["b", "c"]);
  cache.set("b", { bytes: 101 });
  expect([cache.peek("b"), cache.peek("c")?.bytes, cache.bytes]).toEqual([undefined, 40, 40]);
});

test("hits, misses and sizes are counted by name, over all caches with that name", () => {
  const [one, other] = [1, 2].map(() => new BoundedCache<{ n: number }>("test-shared", { maxEntries: 9 })) as [
    BoundedCache<{ n: number }>,
    BoundedCache<{ n: number }>,
  ];
  one.set("a", { n: 1 });
  other.set("a", { n: 1 });
  other.set("b", { n: 2 });
  for (const key of ["a", "b", "c"]) one.get(key);
  other.peek("c");
  expect(other.get("b", ({ n }) => n > 2)).toBeUndefined();
  expect(figuresOf("test-shared")).toEqual({ name: "test-shared", entries: 3, bytes: undefined, hits: 1, misses: 3 });
  other.clear();
  one.delete("a");
  expect(figuresOf("test-shared")).toMatchObject({ entries: 0, hits: 1, misses: 3 });
});
