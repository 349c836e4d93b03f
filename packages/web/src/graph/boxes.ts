/** A rectangle in a drawing. This module doesn't depend on the drawing library. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export function meets(one: Box, other: Box): boolean {
  return one.x < other.x + other.width && other.x < one.x + one.width && one.y < other.y + other.height && other.y < one.y + one.height;
}

/** The rectangle around both, which contains any edge between them. */
export function span(one: Box, other: Box): Box {
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)];
  return {
    x,
    y,
    width: Math.max(one.x + one.width, other.x + other.width) - x,
    height: Math.max(one.y + one.height, other.y + other.height) - y,
  };
}

/** The rectangle around all of them; undefined for an empty list. */
export function boundsOf(boxes: readonly Box[]): Box | undefined {
  const [first, ...others] = boxes;
  return first && others.reduce(span, first);
}
