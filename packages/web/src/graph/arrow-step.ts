import type { Point } from "./layout.ts";

const ways: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: 1, y: 0 },
  ArrowRight: { x: -1, y: 0 },
  ArrowUp: { x: 0, y: 1 },
  ArrowDown: { x: 0, y: -1 },
};

/** By how much a drawing is shifted when an arrow key is pressed; further with Shift. Undefined for other keys. */
export function arrowStep({
  key,
  shiftKey,
  ctrlKey,
  metaKey,
  altKey,
}: Pick<KeyboardEvent, "key" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey">): Point | undefined {
  const way = Object.hasOwn(ways, key) ? ways[key] : undefined;
  if (way === undefined || ctrlKey || metaKey || altKey) return undefined;
  const step = shiftKey ? 256 : 64;
  return { x: way.x * step, y: way.y * step };
}
