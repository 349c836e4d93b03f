import { describe, expect, test } from "vitest";
import { printedRows, RowView } from "./row-view.ts";

function view(count: number, begin = 0): RowView {
  const made = new RowView(begin, () => {});
  made.count = count;
  made.resized(400, false);
  return made;
}

test("only rows in view and some around them are drawn", () => {
  const rows = view(1_000);
  rows.show(500, "center");
  expect([rows.firstShown, rows.lastShown]).toEqual([490, 510]);
  expect(rows.drawn()).toEqual({ first: 470, end: 531, top: 9_400 });
  rows.show(999, "end");
  expect([rows.lastShown, rows.isAtEnd, rows.offset]).toEqual([999, true, 19_600]);
});

test.each([
  [500, 500, 9_810],
  [508, 500, 9_810],
  [509, 500, 9_820],
  [510, 500, 9_840],
  [480, 500, 9_580],
])("row %i is kept in view with as little moving as it takes", (row, from, offset) => {
  const rows = view(1_000);
  rows.show(from, "center");
  rows.show(row, "near");
  expect(rows.offset).toBe(offset);
});

describe("more rows than the maximum height of an element", () => {
  test.each([0, 1, 499_999, 5_000_000, 9_999_999])("row %i is reached exactly", (row) => {
    const rows = view(10_000_000);
    rows.show(row, "center");
    expect(rows.height).toBe(12_000_000);
    expect(rows.firstShown).toBeLessThanOrEqual(row);
    expect(rows.lastShown).toBeGreaterThanOrEqual(row);
    // Its position on the screen is the same as without the height limit.
    const { first, top } = rows.drawn();
    expect(top - rows.offset / rows.scale).toBeCloseTo(first * 20 - rows.offset, 3);
  });

  test("the wheel scrolls as far as in a short log, the scrollbar through all of it", () => {
    const rows = view(10_000_000);
    rows.show(5_000_000, "start");
    rows.moveBy(100);
    expect(rows.firstShown).toBe(5_000_005);
    rows.scrolled(rows.offset / rows.scale + 0.4);
    expect(rows.firstShown).toBe(5_000_005);
    rows.scrolled(12_000_000 - 400);
    expect([rows.lastShown, rows.isAtEnd]).toEqual([9_999_999, true]);
  });
});

describe("rows that wrap", () => {
  test("move nothing that is in view, wherever they are measured", () => {
    const rows = view(1_000);
    rows.scrolled(10_005);
    const { first } = rows.drawn();
    rows.measured(
      first,
      Array.from({ length: 60 }, () => 60),
    );
    expect(rows.firstShown).toBe(500);
    expect(rows.offset).toBe(10_005 + (500 - first) * 40);
  });

  test("keep the requested row in place until the user scrolls", () => {
    const rows = view(1_000);
    rows.show(999, "end");
    rows.measured(
      rows.drawn().first,
      Array.from({ length: 41 }, () => 100),
    );
    expect([rows.lastShown, rows.isAtEnd]).toEqual([999, true]);
    rows.resized(300, false);
    expect(rows.isAtEnd).toBe(true);
    rows.moveBy(-500);
    rows.resized(200, false);
    expect(rows.isAtEnd).toBe(false);
  });

  test("are measured again in another width, around the same row", () => {
    const rows = view(1_000);
    rows.scrolled(10_000);
    rows.measured(
      480,
      Array.from({ length: 40 }, () => 60),
    );
    rows.resized(400, true);
    expect([rows.firstShown, rows.offset]).toEqual([500, 10_000]);
  });
});

test.each([
  ["a short log is printed as a whole", { first: 0, end: 40 }, 300, () => true, { first: 0, end: 300 }],
  ["of a long one what is around the place", { first: 5_000, end: 5_040 }, 10_000, () => true, { first: 4_500, end: 5_540 }],
  ["and nothing whose text has not come", { first: 90, end: 130 }, 1_000, (row: number) => row >= 80 && row < 140, { first: 80, end: 140 }],
])("%s", (_title, drawn, count, hasText, printed) => {
  expect(printedRows(drawn, count, hasText)).toEqual(printed);
});
