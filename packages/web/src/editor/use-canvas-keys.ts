import type { KeyboardEvent } from "react";
import { arrowStep } from "../graph/arrow-step.ts";
import { useDraft } from "./draft-context.ts";
import { useSelection } from "./selection.ts";
import type { Edits } from "./use-edits.ts";
import { useLookAround } from "./use-look-around.ts";

/** The keys of the canvas, with what they do, as the help shows them. */
export const canvasKeys: readonly (readonly [string, string])[] = [
  ["Tab", "to the next task or link"],
  ["Enter", "choose the task or link that has the focus"],
  ["Arrow keys", "move the chosen tasks, or the canvas when nothing is chosen; with Shift further"],
  ["F", "show everything"],
  ["Home", "to the start, at a size for reading"],
  ["+, -", "nearer, farther away"],
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

interface Folds {
  openPalette: () => void;
  openForm: () => void;
  onHelp: () => void;
}

type Deeds = Record<string, (event: KeyboardEvent) => void>;

/** For the element around the canvas: keys that are typed into a field stay there. */
export function useCanvasKeys(edits: Edits, folds: Folds): (event: KeyboardEvent) => void {
  const look = useLookDeeds();
  const withControl: Deeds = {
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
  const plain: Deeds = { ...look, ...plainDeeds(edits, folds) };
  return (event) => {
    if (event.target instanceof HTMLElement && event.target.closest("input, textarea, [contenteditable=true]")) return;
    const deed = (event.ctrlKey || event.metaKey ? withControl : plain)[event.key];
    if (!deed || event.altKey || event.defaultPrevented) return;
    event.preventDefault();
    deed(event);
  };
}

function plainDeeds(edits: Edits, { openPalette, openForm, onHelp }: Folds): Deeds {
  return {
    Delete: edits.remove,
    Backspace: edits.remove,
    Escape: edits.selectNone,
    "?": onHelp,
    l: edits.arrange,
    e: () => {
      openForm();
      focusOn("[data-panel] input, [data-panel] textarea, [data-panel] button");
    },
    a: () => {
      openPalette();
      focusOn("[data-palette-search]");
    },
  };
}

/** The canvas goes where the arrow points to; chosen tasks are moved by the canvas itself. */
function useLookDeeds(): Deeds {
  const { history } = useDraft();
  const { selected } = useSelection();
  const { zoomIn, zoomOut, showAll, showStart, moveBy } = useLookAround();
  const go = (event: KeyboardEvent) => {
    const step = arrowStep(event);
    if (step && selected.size === 0) moveBy(step);
  };
  const toStart = () => showStart(history.present);
  return {
    f: showAll,
    Home: toStart,
    "+": zoomIn,
    "=": zoomIn,
    "-": zoomOut,
    ArrowLeft: go,
    ArrowRight: go,
    ArrowUp: go,
    ArrowDown: go,
  };
}

/** As soon as it is there: it may have been folded. */
function focusOn(selector: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(selector)?.focus());
}
