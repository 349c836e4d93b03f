import { expect, test } from "vitest";
import { nearestName } from "./nearest-name.ts";

test.each<[string, readonly string[], string | undefined]>([
  ["shel", ["shell", "sleep"], "shell"],
  ["Shlel", ["shell"], "shell"],
  ["xxshell", ["shell"], "shell"],
  ["shellxx", ["shell"], "shell"],
  ["hell", ["shell", "hello"], "shell"],
  ["shexxl", ["shell"], "shell"],
  ["sxexxl", ["shell"], undefined],
  ["slip", ["sleep"], undefined],
  ["sh", ["ssh"], undefined],
  ["", ["a"], undefined],
  [`${"a".repeat(96)}bcd`, [`${"a".repeat(96)}dcb`, `${"a".repeat(98)}d`], `${"a".repeat(96)}dcb`],
  [`${"a".repeat(96)}bcde`, [`${"a".repeat(96)}fghi`], undefined],
  ["a".repeat(101), ["a".repeat(101)], undefined],
])("of %j, the nearest of %j", (name, known, expected) => expect(nearestName(name, known)).toBe(expected));

test("names that differ by chance are as near as the whole table says", () => {
  const texts = Array.from({ length: 400 }, (_, seed) =>
    [...String((seed * 7919) % 6561)].map((digit) => "abc"[Number(digit) % 3]).join(""),
  );
  for (const one of texts.slice(0, 40))
    for (const other of texts) {
      const isNear = distanceByTable(one, other) <= Math.min(2, Math.floor(one.length / 3));
      expect([one, other, nearestName(one, [other]) !== undefined]).toEqual([one, other, isNear]);
    }
});

function distanceByTable(one: string, other: string): number {
  if (one === "" || other === "") return one.length + other.length;
  const [first, second] = [one.at(-1), other.at(-1)];
  const [less, fewer] = [one.slice(0, -1), other.slice(0, -1)];
  const steps = [
    distanceByTable(less, other) + 1,
    distanceByTable(one, fewer) + 1,
    distanceByTable(less, fewer) + (first === second ? 0 : 1),
  ];
  const isSwap = one.length > 1 && other.length > 1 && first === other.at(-2) && second === one.at(-2);
  return Math.min(...steps, ...(isSwap ? [distanceByTable(one.slice(0, -2), other.slice(0, -2)) + 1] : []));
}
