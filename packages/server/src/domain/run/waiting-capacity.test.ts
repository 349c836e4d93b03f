import { expect, test } from "vitest";
import { WaitingCapacity } from "./waiting-capacity.ts";

const at = (ms: number) => new Date(ms);

test("a count is good for a share of the room that is left", () => {
  const rooms = new WaitingCapacity();
  expect(rooms.take("a", 1600, at(0))).toBe("unknown");
  rooms.note("a", 1600, 0, at(0));
  for (let taken = 0; taken < 100; taken += 1) expect(rooms.take("a", 1600, at(500))).toBe("free");
  expect(rooms.take("a", 1600, at(1000)), "then it is counted again").toBe("unknown");
});

test("a team without room is counted once a second, however many are refused", () => {
  const rooms = new WaitingCapacity();
  rooms.note("a", 10, 10, at(0));
  for (let ms = 0; ms < 1000; ms += 10) expect(rooms.take("a", 10, at(ms))).toBe(10);
  expect(rooms.take("a", 10, at(1000))).toBe("unknown");
});

test("the last places are counted one by one", () => {
  const rooms = new WaitingCapacity();
  rooms.note("a", 2, 1, at(0));
  expect([rooms.take("a", 2, at(0)), rooms.take("a", 2, at(0))]).toEqual(["free", "unknown"]);
});

test("a changed limit is counted at once, and no team lives on another one's room", () => {
  const rooms = new WaitingCapacity();
  rooms.note("a", 10, 0, at(0));
  expect(rooms.take("a", 20, at(0))).toBe("unknown");
  expect(rooms.take("b", 10, at(0))).toBe("unknown");
});
