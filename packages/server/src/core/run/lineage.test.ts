import { describe, expect, test } from "vitest";
import { joinLineages, lineageAfter, lineageFault, lineageOfEvent, maxLineage, readLineage, writeLineage } from "./lineage.ts";

const id = (at: number) => `00000000-0000-7000-8000-${String(at).padStart(12, "0")}`;
const many = Array.from({ length: 100 }, (_, at) => id(at));

describe("a lineage", () => {
  test("names each workflow once, in the order in which they led here", () => {
    expect(lineageAfter([id(1)], id(2))).toEqual([id(1), id(2)]);
    expect(lineageAfter([id(1), id(2)], id(1))).toEqual([id(1), id(2)]);
    expect(joinLineages([id(1), id(2)], [id(2), id(3)])).toEqual([id(1), id(2), id(3)]);
  });

  test("is read as it was written, and texts in it that are not ids are ignored", () => {
    expect(readLineage(writeLineage([id(1), id(2)]))).toEqual([id(1), id(2)]);
    expect(readLineage(` ${id(1).toUpperCase()}, x ,, ${id(1)}, ${id(2)};drop`)).toEqual([id(1), id(2)]);
    for (const value of [undefined, null, 7, [id(1)], { a: id(1) }, "", "x"]) expect(readLineage(value)).toEqual([]);
  });

  test("that is too long stays too long on its way, and no longer than that is written", () => {
    const sent = writeLineage(many);
    expect(sent.length).toBeLessThan(1000);
    expect(lineageFault(readLineage(sent), id(1000))).toBe("tooLong");
    expect(lineageFault(readLineage(many.join(",")), id(1000))).toBe("tooLong");
  });

  test("blocks the workflows in it, and all others at its full length", () => {
    expect(lineageFault([], id(1))).toBeUndefined();
    expect(lineageFault([id(1)], id(1))).toBe("loop");
    expect(lineageFault(many.slice(0, maxLineage - 1), id(500))).toBeUndefined();
    expect(lineageFault(many.slice(0, maxLineage), id(500))).toBe("tooLong");
  });

  test("is taken from what is an event only", () => {
    expect(lineageOfEvent({ specversion: "1.0", millracelineage: id(1) })).toEqual([id(1)]);
    for (const value of [undefined, null, "x", [], { millracelineage: id(1) }]) expect(lineageOfEvent(value)).toEqual([]);
  });
});
