/** Of every node on the canvas, so that none has to be measured before it can be drawn. Multiples of eight. */
export const nodeSize = { width: 208, height: 56 } as const;

/** From the left edge of a node to that of the next one, and the same downwards. */
export const nodeStep = { x: 288, y: 88 } as const;
