/** The size of a task in every drawing, fixed so that nothing has to be measured. Multiples of eight. */
export const nodeSize = { width: 184, height: 56 } as const;

/** The size of start and end. They are as high as a task, so that a straight row stays straight. */
const markerSize = { width: 112, height: 56 } as const;

/** The gaps between neighbouring nodes, horizontally and vertically. An edge with a label needs more space. */
export const nodeGap = { x: 40, y: 32 } as const;

/** Start and end are recognized by their type, or without one by their name. */
export function markerOf({ type, name }: { name: string; type?: string | null | undefined }): "start" | "end" | undefined {
  const word = type ?? name;
  return word === "start" || word === "end" ? word : undefined;
}

export function sizeOf(task: Parameters<typeof markerOf>[0]): { width: number; height: number } {
  return markerOf(task) === undefined ? nodeSize : markerSize;
}

/** The top left corner of a node with its centre at that point. */
export function aroundPoint({ x, y }: { x: number; y: number }): { x: number; y: number } {
  return { x: x - nodeSize.width / 2, y: y - nodeSize.height / 2 };
}
