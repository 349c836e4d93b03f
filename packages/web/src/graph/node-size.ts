/** Of a task in every drawing of a graph, so that none has to be measured before it can be drawn. Multiples of eight. */
export const nodeSize = { width: 184, height: 56 } as const;

/** Of start and end. They are as high as a task, so that a straight row stays straight. */
const markerSize = { width: 112, height: 56 } as const;

/** Between two nodes beside each other, and between two below each other. An edge with words takes more. */
export const nodeGap = { x: 40, y: 32 } as const;

/** Start and end are known by their type, or without one by their name. */
export function markerOf({ type, name }: { name: string; type?: string | null | undefined }): "start" | "end" | undefined {
  const word = type ?? name;
  return word === "start" || word === "end" ? word : undefined;
}

export function sizeOf(task: Parameters<typeof markerOf>[0]): { width: number; height: number } {
  return markerOf(task) === undefined ? nodeSize : markerSize;
}

/** The corner of a node with its middle at that point. */
export function aroundPoint({ x, y }: { x: number; y: number }): { x: number; y: number } {
  return { x: x - nodeSize.width / 2, y: y - nodeSize.height / 2 };
}
