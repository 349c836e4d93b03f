import type { KeyboardEvent } from "react";
import { arrowStep } from "../../graph/near-view.ts";
import { t } from "../../texts/designer.ts";
import { useDraft } from "../draft/draft-context.ts";
import type { Edits } from "../draft/use-edits.ts";
import { useLookAround } from "./canvas-view.ts";
import { useSelection } from "./flow-elements.ts";

/** The keys of the canvas, with what they do, as the help shows them. */
export const canvasKeys: readonly (readonly [string, string])[] = [
  ["Tab", t("canvasKeys.nextTaskLink")],
  ["Enter", t("canvasKeys.focusedTaskLink")],
  [t("canvasKeys.arrowKeys"), t("canvasKeys.moveSelectedTasksCanvas")],
  ["F", t("canvasKeys.fitView")],
  ["Home", t("canvasKeys.goStartReadableSize")],
  ["+, -", t("canvasKeys.zoomZoomOut")],
  [t("canvasKeys.shiftClickShiftDrag"), t("canvasKeys.several")],
  ["E", t("canvasKeys.goFormSelection")],
  ["A", t("canvasKeys.goTaskSearch")],
  ["Delete", t("canvasKeys.deleteSelection")],
  [t("canvasKeys.ctrlCCtrlX"), t("canvasKeys.copyCutPasteDuplicate")],
  [t("canvasKeys.all"), t("canvasKeys.chooseEverything")],
  [t("canvasKeys.ctrlZCtrlShift"), t("canvasKeys.undoRedo")],
  [t("canvasKeys.ctrlS"), t("canvasKeys.save")],
  ["L", t("canvasKeys.arrangeTasks")],
  ["Escape", t("canvasKeys.clearSelection")],
  ["?", t("canvasKeys.showKeyboardShortcuts")],
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
