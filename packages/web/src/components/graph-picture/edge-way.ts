import type { Box } from "../../graph/boxes.ts";
import type { Point } from "../../graph/layout.ts";

/** Of the head of an arrow, which ends before the task. */
const head = 5;

/** A part of a line that is level, around a point: past the tasks of a column, or below the words of the line itself. */
export interface Level extends Point {
  /** 0: the line needs none there. */
  width: number;
}

/**
 * The points that a line goes through: out of a task on the side where it leads, and into the other one. An arrow that leads back
 * leaves on the left.
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
  // The bends of one that leads back come from the right.
  const inOrder = isBack ? past.sort((one, other) => other.x - one.x) : past;
  return [side(from, !isBack, 0), ...inOrder, side(to, isBack, head)];
}

/** Level at each point, so that the parts of a line meet smoothly. */
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
