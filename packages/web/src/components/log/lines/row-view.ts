import { RowHeights, rowHeight } from "./row-heights.ts";

/** Rows rendered beyond the visible ones, on each side. */
const overscan = 20;
/**
 * Browsers limit the height of an element to 17 to 33 million pixels. Above this height, one pixel of the scrollbar stands for several
 * pixels of the rows.
 */
const tallest = 12_000_000;

type Align = "start" | "center" | "end" | "near";

/**
 * Computes which of very many rows are rendered, and where. All rows have the same height unless they wrap. Wrapped rows are measured after
 * rendering, and the visible rows keep their position. A row that was scrolled to stays in place until the user scrolls.
 */
export class RowView {
  count = 0;
  /** The top of the visible area, in row coordinates without the height limit. */
  offset: number;
  /** Whether the box still has to be scrolled to `offset`, which is only possible once it has its full height. */
  isMoved = false;
  private view = 600;
  private pin: { row: number; align: Align } | undefined;
  private readonly heights = new RowHeights();
  private readonly draw: () => void;

  /** @param begin the row that will be requested first; the rows around it are rendered first */
  constructor(begin: number, draw: () => void) {
    this.offset = Math.max(0, begin * rowHeight - this.view / 2);
    this.draw = draw;
  }

  /** The height of the element that contains all rows. */
  get height(): number {
    return Math.min(this.heights.top(this.count), tallest);
  }

  /** Row pixels per scrollbar pixel. */
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

  /** The rows to render, from `first` to before `end`, and the top of the first one in the box. */
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

  /** The user turned the wheel. */
  moveBy(distance: number): void {
    this.pin = undefined;
    this.moveTo(this.offset + distance);
  }

  /** The browser scrolled the box. For scrolling that started here, the position is known more precisely than the event reports it. */
  scrolled(top: number): void {
    if (Math.abs(top - this.offset / this.scale) < 1) return;
    this.offset = top * this.scale;
    this.pin = undefined;
    this.draw();
  }

  /** The height of the box has changed, or its width, which changes how rows wrap. */
  resized(height: number, isOtherWidth: boolean): void {
    this.view = height;
    if (isOtherWidth) this.resetLayout();
    else if (this.pin) this.moveTo(this.placeOf(this.pin));
    else this.draw();
  }

  /** All rows may have new heights. */
  resetLayout(): void {
    this.pin ??= { row: this.firstShown, align: "start" };
    this.heights.reset();
    this.moveTo(this.placeOf(this.pin));
  }

  /** The measured heights of rendered rows. */
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
  /** The row after the last one. */
  end: number;
}

/** The maximum number of rows to print before and after the rendered ones: about twenty pages. */
const most = 500;

/** The rows that can be printed immediately: those rendered, and those around them whose text is loaded. */
export function printedRows(drawn: Rows, count: number, hasText: (row: number) => boolean): Rows {
  let { first, end } = drawn;
  while (first > 0 && first > drawn.first - most && hasText(first - 1)) first--;
  while (end < count && end < drawn.end + most && hasText(end)) end++;
  return { first, end };
}
