import { RowHeights, rowHeight } from "./row-heights.ts";

/** Rows beyond what is seen, on each side. */
const overscan = 20;
/**
 * Browsers can't make a box higher than 17 to 33 million pixels. From here on a pixel of the scrollbar stands for more than one of
 * the rows.
 */
const tallest = 12_000_000;

type Align = "start" | "center" | "end" | "near";

/**
 * Which of very many rows are drawn, and where. Rows have one height, unless they wrap: then what was drawn is measured, and what
 * is in view stays where it is. A row that was asked for stays in its place until somebody scrolls.
 */
export class RowView {
  count = 0;
  /** Where what is seen begins, in the rows as they would lie without a limit of height. */
  offset: number;
  /** The box has to be scrolled there yet: only when it is as high as it is to be can it be. */
  isMoved = false;
  private view = 600;
  private pin: { row: number; align: Align } | undefined;
  private readonly heights = new RowHeights();
  private readonly draw: () => void;

  /** @param begin the row that will be asked for first: those around it are the first that are drawn */
  constructor(begin: number, draw: () => void) {
    this.offset = Math.max(0, begin * rowHeight - this.view / 2);
    this.draw = draw;
  }

  /** Of the box that holds all rows. */
  get height(): number {
    return Math.min(this.heights.top(this.count), tallest);
  }

  /** Pixels of the rows for one of the scrollbar. */
  get scale(): number {
    const total = this.heights.top(this.count);
    return total > tallest ? (total - this.view) / (tallest - this.view) : 1;
  }

  get firstShown(): number {
    return Math.max(0, Math.min(this.heights.rowAt(this.offset), this.count - 1));
  }

  get lastShown(): number {
    return Math.max(0, Math.min(this.heights.rowAt(this.offset + this.view - 1), this.count - 1));
  }

  get isAtEnd(): boolean {
    return this.heights.top(this.count) - this.offset - this.view < rowHeight;
  }

  /** The rows to draw, the first of them and the one behind the last, and where they begin in the box. */
  drawn(): { first: number; end: number; top: number } {
    const first = Math.max(0, this.firstShown - overscan);
    const end = Math.min(this.count, this.lastShown + overscan + 1);
    return { first, end, top: this.heights.top(first) - this.offset + this.offset / this.scale };
  }

  show(row: number, align: Align): void {
    this.pin = { row: Math.max(0, Math.min(row, this.count - 1)), align };
    this.moveTo(this.placeOf(this.pin));
  }

  moveTo(offset: number): void {
    this.offset = Math.max(0, Math.min(offset, this.heights.top(this.count) - this.view));
    this.isMoved = true;
    this.draw();
  }

  /** Somebody turned the wheel. */
  moveBy(distance: number): void {
    this.pin = undefined;
    this.moveTo(this.offset + distance);
  }

  /** The browser scrolled the box. Where it was scrolled to from here is known more exactly than it tells. */
  scrolled(top: number): void {
    if (Math.abs(top - this.offset / this.scale) < 1) return;
    this.offset = top * this.scale;
    this.pin = undefined;
    this.draw();
  }

  /** The box has another height, or another width, in which rows wrap otherwise. */
  resized(height: number, isOtherWidth: boolean): void {
    this.view = height;
    if (isOtherWidth) this.laidOutAnew();
    else if (this.pin) this.moveTo(this.placeOf(this.pin));
    else this.draw();
  }

  /** All rows may have another height now. */
  laidOutAnew(): void {
    this.pin ??= { row: this.firstShown, align: "start" };
    this.heights.reset();
    this.moveTo(this.placeOf(this.pin));
  }

  /** How high the rows are that were drawn. */
  measured(first: number, heights: readonly number[]): void {
    const anchor = this.firstShown;
    const before = this.heights.top(anchor);
    const news = heights.filter((height, index) => this.heights.set(first + index, height));
    if (news.length === 0) return;
    this.moveTo(this.pin ? this.placeOf(this.pin) : this.offset + this.heights.top(anchor) - before);
  }

  private placeOf({ row, align }: { row: number; align: Align }): number {
    const [top, bottom] = [this.heights.top(row), this.heights.top(row + 1)];
    if (align === "start") return top;
    if (align === "end") return bottom - this.view;
    if (align === "center") return (top + bottom - this.view) / 2;
    return Math.max(bottom + rowHeight - this.view, Math.min(this.offset, top - rowHeight));
  }
}

export interface Rows {
  first: number;
  /** Behind the last. */
  end: number;
}

/** At most so many rows are printed before and after those that are drawn: some twenty pages. */
const most = 500;

/** What can be printed at once: the rows that are drawn, and those around them whose text has come. */
export function printedRows(drawn: Rows, count: number, hasText: (row: number) => boolean): Rows {
  let { first, end } = drawn;
  while (first > 0 && first > drawn.first - most && hasText(first - 1)) first--;
  while (end < count && end < drawn.end + most && hasText(end)) end++;
  return { first, end };
}
