import { isFinal } from "@millrace/contract/status.ts";
import type { TaskState } from "./run-state.ts";

/** How far the items of a forEach node are; counted from their states, never stored. */
export interface ItemProgress {
  open: number;
  underWay: number;
  /** Index of the first item that was not started yet. */
  next: number;
}

export function countItems(items: readonly TaskState[]): ItemProgress {
  const firstUntouched = items.findIndex((item) => item.status === "notstarted");
  const open = items.filter((item) => !isFinal(item.status));
  return {
    open: open.length,
    underWay: open.filter((item) => item.status !== "notstarted").length,
    next: firstUntouched < 0 ? items.length : firstUntouched,
  };
}
