import type { Box } from "../../graph/boxes.ts";
import type { Point } from "../../graph/layout.ts";

/** The length of the arrow head, which ends before the task. */
const head = 5;

/** A horizontal part of a line around a point: past the tasks of a column, or below the line's own label. */
export interface Level extends Point {
  /** 0: the line needs no horizontal part there. */
  width: number;
}

/**
 * The points of a line: it leaves a task on the side towards its destination and enters the other task. A line that leads back leaves on
 * the left.
 */
export function wayOf(from: Box, to: Box, levels: readonly Level[]): Point[] {
  const isBack = to.x < from.x;
  const side = (box: Box, isRight: boolean, gap: number) => ({
    x: isRight ? box.x + box.width + gap : box.x - gap,
    y: box.y + box.height / 2,
  });
  const past = levels
    .filter(({ width }) => width > 0)
    .flatMap(({ x, y, width }) => [
      { x: x - width / 2, y },
      { x: x + width / 2, y },
    ]);
  // A line that leads back passes its bends from right to left.
  const inOrder = isBack ? past.sort((one, other) => other.x - one.x) : past;
  return [side(from, !isBack, 0), ...inOrder, side(to, isBack, head)];
}

/** The curve is horizontal at each point, so that the parts of a line join smoothly. */
export function pathOf([first, ...others]: readonly Point[]): string {
  if (first === undefined) return "";
  let before = first;
  const curves = others.map((next) => {
    const middle = (before.x + next.x) / 2;
    const curve = `C${middle},${before.y} ${middle},${next.y} ${next.x},${next.y}`;
    before = next;
    return curve;
  });
  return [`M${first.x},${first.y}`, ...curves].join(" ");
}
