import type { KeyboardEvent } from "react";
import { arrowStep } from "../../graph/arrow-step.ts";
import { useDraft } from "../draft/draft-context.ts";
import type { Edits } from "../draft/use-edits.ts";
import { useSelection } from "./selection.ts";
import { useLookAround } from "./use-look-around.ts";

/** The keys of the canvas, with what they do, as the help shows them. */
export const canvasKeys: readonly (readonly [string, string])[] = [
  ["Tab", "next task or link"],
  ["Enter", "select the focused task or link"],
  ["Arrow keys", "move the selected tasks, or the canvas if nothing is selected; hold Shift for larger steps"],
  ["F", "fit to view"],
  ["Home", "go to the start at a readable size"],
  ["+, -", "zoom in, zoom out"],
  ["Shift + click, Shift + drag", "select several"],
  ["E", "go to the form of the selection"],
  ["A", "go to the task search"],
  ["Delete", "delete selection"],
  ["Ctrl + C, Ctrl + X, Ctrl + V, Ctrl + D", "copy, cut, paste, duplicate"],
  ["select all", "choose everything"],
  ["Ctrl + Z, Ctrl + Shift + Z", "undo, redo"],
  ["Ctrl + S", "save"],
  ["L", "arrange tasks"],
  ["Escape", "clear selection"],
  ["?", "show keyboard shortcuts"],
];

interface Folds {
  openPalette: () => void;
  openForm: () => void;
  onHelp: () => void;
}

type Actions = Record<string, (event: KeyboardEvent) => void>;

/** For the element around the canvas: keys that are typed into a field stay there. */
export function useCanvasKeys(edits: Edits, folds: Folds): (event: KeyboardEvent) => void {
  const look = useLookActions();
  const withControl: Actions = {
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
  const plain: Actions = { ...look, ...plainActions(edits, folds) };
  return (event) => {
    if (event.target instanceof HTMLElement && event.target.closest("input, textarea, [contenteditable=true]")) return;
    const command = (event.ctrlKey || event.metaKey ? withControl : plain)[event.key];
    if (!command || event.altKey || event.defaultPrevented) return;
    event.preventDefault();
    command(event);
  };
}

function plainActions(edits: Edits, { openPalette, openForm, onHelp }: Folds): Actions {
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
function useLookActions(): Actions {
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
