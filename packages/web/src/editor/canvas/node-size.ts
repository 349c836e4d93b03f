/** Of every node on the canvas, so that none has to be measured before it can be drawn. Multiples of eight. */
export const nodeSize = { width: 192, height: 56 } as const;

/** From the left edge of a node to that of the next one, and the same downwards. */
export const nodeStep = { x: 248, y: 88 } as const;

/** The corner of a node with its middle at that point. */
export function aroundPoint({ x, y }: { x: number; y: number }): { x: number; y: number } {
  return { x: x - nodeSize.width / 2, y: y - nodeSize.height / 2 };
}
