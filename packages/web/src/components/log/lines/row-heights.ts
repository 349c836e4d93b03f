/** The height of a row that doesn't wrap. */
export const rowHeight = 20;

/**
 * The positions of rows with different heights. The extra height of each row is kept in a Fenwick tree (of sums), so that a million rows
 * take a few megabytes, and finding one takes some twenty steps.
 */
export class RowHeights {
  private extras = new Map<number, number>();
  private tree = new Float64Array(1025);

  /** @returns true if the height has changed */
  set(row: number, height: number): boolean {
    const before = this.extras.get(row) ?? 0;
    const extra = height - rowHeight;
    if (Math.abs(extra - before) < 0.5) return false;
    while (row + 1 >= this.tree.length) this.grow();
    this.extras.set(row, extra);
    this.add(row, extra - before);
    return true;
  }

  reset(): void {
    if (this.extras.size === 0) return;
    this.extras = new Map();
    this.tree = new Float64Array(1025);
  }

  /** The top of a row. */
  top(row: number): number {
    let sum = row * rowHeight;
    for (let at = Math.min(row, this.tree.length - 1); at > 0; at -= at & -at) sum += this.tree[at] ?? 0;
    return sum;
  }

  /** The row at a vertical offset, if there are enough rows. */
  rowAt(offset: number): number {
    let [row, left] = [0, offset];
    for (let step = this.tree.length - 1; step > 0; step >>= 1) {
      const next = row + step;
      const height = next < this.tree.length ? (this.tree[next] ?? 0) + step * rowHeight : Number.POSITIVE_INFINITY;
      if (height > left) continue;
      row = next;
      left -= height;
    }
    return row < this.tree.length - 1 ? row : row + Math.max(0, Math.floor(left / rowHeight));
  }

  private add(row: number, extra: number): void {
    for (let at = row + 1; at < this.tree.length; at += at & -at) this.tree[at] = (this.tree[at] ?? 0) + extra;
  }

  private grow(): void {
    this.tree = new Float64Array((this.tree.length - 1) * 2 + 1);
    for (const [row, extra] of this.extras) this.add(row, extra);
  }
}
