import { t } from "../texts/shared.ts";
import { type Box, meets, span } from "./boxes.ts";
import type { Point } from "./layout.ts";

interface Condition {
  executionCondition?: string | null | undefined;
  decisionCondition?: string | null | undefined;
}

/** The width of a symbol alone. */
export const signWidth = 24;
/** The maximum width of a label. */
const widest = 160;
const height = 20;
/** The maximum width of a letter at 13 px. */
const letter = 7.6;

/** The size of an edge's label; undefined for an unconditional edge. */
export function labelRoom(
  { executionCondition, decisionCondition }: Condition,
  isFromDecision: boolean,
): { width: number; height: number } {
  if (isFromDecision) return { width: wordsWidth((decisionCondition || t("graphLabels.otherwise")).split("\n").join(" | ")), height };
  return (executionCondition ?? "always") === "always" ? { width: 0, height: 0 } : { width: signWidth, height };
}

export function wordsWidth(words: string): number {
  return Math.min(widest, Math.ceil(words.length * letter) + signWidth + 8);
}

/** The position of an edge's label, and its maximum width. */
export interface LabelPlace extends Point {
  width: number;
}

/** Positions along the edge: the middle first, then farther and farther from it. */
const spots = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82, 0.1, 0.9, 0.06, 0.94];

/**
 * A position on the edge where no node covers the label. If the whole label doesn't fit, it is shortened; at last only the symbol is shown.
 * @param nodes everything on the canvas
 */
export function labelPlace(from: Box, to: Box, width: number, nodes: readonly Box[]): LabelPlace {
  const near = nodes.filter((node) => meets(node, grown(span(from, to))));
  const points = spots.map((at) => curvePoint(from, to, at));
  for (const wanted of [width, width * 0.6, signWidth]) {
    if (wanted > width) continue;
    const free = points.find((point) => !near.some((node) => meets(node, around(point, wanted))));
    if (free) return { ...free, width: Math.round(wanted) };
  }
  return { ...(points[0] as Point), width: signWidth };
}

/** The area that a label covers, to be avoided by the next label. */
export function coveredBy(place: LabelPlace): Box {
  return around(place, place.width);
}

function around({ x, y }: Point, width: number): Box {
  return { x: x - width / 2 - 2, y: y - height / 2 - 2, width: width + 4, height: height + 4 };
}

function grown({ x, y, width, height: high }: Box): Box {
  return { x: x - widest / 2, y: y - height, width: width + widest, height: high + 2 * height };
}

/** A point of the curve that the canvas draws from the right side of one box to the left side of the other. */
function curvePoint(from: Box, to: Box, at: number): Point {
  const [x, y, toX, toY] = [from.x + from.width, from.y + from.height / 2, to.x, to.y + to.height / 2];
  const reach = toX >= x ? (toX - x) / 2 : 0.25 * 25 * Math.sqrt(x - toX);
  const weights = [(1 - at) ** 3, 3 * at * (1 - at) ** 2, 3 * at * at * (1 - at), at ** 3] as const;
  const sum = (a: number, b: number, c: number, d: number) => a * weights[0] + b * weights[1] + c * weights[2] + d * weights[3];
  return { x: sum(x, x + reach, toX - reach, toX), y: sum(y, y, toY, toY) };
}
