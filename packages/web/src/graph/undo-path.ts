import { getBezierPath, Position } from "@xyflow/react";
import { nodeSize } from "./node-size.ts";

interface Ends {
  sourceX: number;
  sourceY: number;
  targetX: number;
  targetY: number;
}

/**
 * Leads from the bottom of a task to the top of its compensation, which usually is below it. If the compensation was moved elsewhere, the
 * edge is drawn like any other.
 */
export function undoPath(ends: Ends): string {
  const from = { sourceX: ends.sourceX - nodeSize.width / 2, sourceY: ends.sourceY + nodeSize.height / 2 };
  const to = { targetX: ends.targetX + nodeSize.width / 2, targetY: ends.targetY - nodeSize.height / 2 };
  if (to.targetY < from.sourceY) return getBezierPath(ends)[0];
  return getBezierPath({ ...from, sourcePosition: Position.Bottom, ...to, targetPosition: Position.Top })[0];
}
