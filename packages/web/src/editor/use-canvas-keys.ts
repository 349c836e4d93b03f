import type { KeyboardEvent } from "react";
import type { Edits } from "./use-edits.ts";

/** The keys of the canvas, with what they do, as the help shows them. */
export const canvasKeys: readonly (readonly [string, string])[] = [
  ["Tab", "to the next task or link"],
  ["Enter", "choose the task or link that has the focus"],
  ["Arrow keys", "move the chosen tasks; with Shift further"],
  ["Shift + click, Shift + drag", "choose several"],
  ["E", "go to the form of what is chosen"],
  ["A", "go to the search of the palette"],
  ["Delete", "take what is chosen away"],
  ["Ctrl + C, Ctrl + X, Ctrl + V, Ctrl + D", "copy, cut, paste, duplicate"],
  ["Ctrl + A", "choose everything"],
  ["Ctrl + Z, Ctrl + Shift + Z", "undo, redo"],
  ["Ctrl + S", "save"],
  ["L", "arrange all tasks"],
  ["Escape", "choose nothing"],
  ["?", "this help"],
];

/** For the element around the canvas: keys that are typed into a field stay there. */
export function useCanvasKeys(edits: Edits, onHelp: () => void): (event: KeyboardEvent) => void {
  const withControl: Record<string, () => void> = {
    c: edits.copy,
    x: () => {
      edits.copy();
      edits.remove();
    },
    v: edits.paste,
    d: edits.duplicate,
    a: edits.selectAll,
    z: edits.undo,
    Z: edits.redo,
    y: edits.redo,
  };
  const plain: Record<string, () => void> = {
    Delete: edits.remove,
    Backspace: edits.remove,
    Escape: edits.selectNone,
    "?": onHelp,
    l: edits.arrange,
    e: () => focusOn("[data-panel] input, [data-panel] textarea, [data-panel] button"),
    a: () => focusOn("[data-palette-search]"),
  };
  return (event) => {
    if (event.target instanceof HTMLElement && event.target.closest("input, textarea, [contenteditable=true]")) return;
    const deed = (event.ctrlKey || event.metaKey ? withControl : plain)[event.key];
    if (!deed || event.altKey) return;
    event.preventDefault();
    deed();
  };
}

function focusOn(selector: string): void {
  document.querySelector<HTMLElement>(selector)?.focus();
}
