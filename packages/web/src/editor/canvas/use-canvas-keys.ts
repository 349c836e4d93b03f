import type { KeyboardEvent } from "react";
import { arrowStep } from "../../graph/near-view.ts";
import { t } from "../../texts/workflow/designer.ts";
import { useDraft } from "../draft/draft-context.ts";
import type { Edits } from "../draft/use-edits.ts";
import type { SideFold } from "../form/side-panel.tsx";
import { firstFieldIn, focusOn, keepFocusOnCanvas } from "./canvas-focus.ts";
import { useLookAround } from "./canvas-view.ts";
import { useSelection } from "./flow-elements.ts";

/** The keys of the canvas with their effects, as the help shows them. */
export const canvasKeys: readonly (readonly [string, string])[] = [
  ["Tab", t("canvasKeys.nextTaskLink")],
  [t("canvasKeys.space"), t("canvasKeys.focusedTaskLink")],
  ["Enter", t("canvasKeys.openTask")],
  [t("canvasKeys.arrowKeys"), t("canvasKeys.moveSelectedTasksCanvas")],
  ["F", t("canvasKeys.fitView")],
  ["Home", t("canvasKeys.goStartReadableSize")],
  ["+, -", t("canvasKeys.zoomZoomOut")],
  [t("canvasKeys.shiftClickShiftDrag"), t("canvasKeys.several")],
  ["E", t("canvasKeys.goFormSelection")],
  [t("canvasKeys.escapeForm"), t("canvasKeys.goBack")],
  ["A", t("canvasKeys.goTaskSearch")],
  [t("canvasKeys.enterShiftEnter"), t("canvasKeys.addTask")],
  ["C", t("canvasKeys.linkTask")],
  [t("canvasKeys.ctrlFSlash"), t("canvasKeys.findTask")],
  ["T, P", t("canvasKeys.foldSides")],
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
  palette: SideFold;
  form: SideFold;
  onHelp: () => void;
  onFind: () => void;
  /** Asks for the task that the selected one is linked to. */
  onLink: () => void;
  /** Opens the task in the large editor. */
  onOpen: (task: string) => void;
}

type Actions = Record<string, (event: KeyboardEvent) => void>;

/** The key handler for the element around the canvas. Keys typed into a field are ignored. */
export function useCanvasKeys(edits: Edits, folds: Folds): (event: KeyboardEvent) => void {
  const look = useLookActions();
  const withControl: Actions = {
    c: edits.copy,
    x: () => {
      edits.copy();
      removeSelection(edits);
    },
    v: edits.paste,
    d: edits.duplicate,
    a: edits.selectAll,
    z: edits.undo,
    Z: edits.redo,
    y: edits.redo,
    f: folds.onFind,
  };
  const plain: Actions = { ...look, ...plainActions(edits, folds) };
  return (event) => {
    if (event.target instanceof HTMLElement && event.target.closest("input, textarea, [contenteditable=true]")) return;
    const node = event.key === "Enter" && event.target instanceof HTMLElement ? event.target.closest(".react-flow__node") : null;
    const id = node?.getAttribute("data-id");
    if (id) {
      event.preventDefault();
      return folds.onOpen(id);
    }
    const command = (event.ctrlKey || event.metaKey ? withControl : plain)[keyOf(event)];
    if (!command || event.altKey || event.defaultPrevented) return;
    event.preventDefault();
    command(event);
  };
}

/** A letter is a capital one with Shift, and only then: with Caps Lock, the key for undo would be that for redo. */
export function keyOf({ key, shiftKey }: Pick<KeyboardEvent, "key" | "shiftKey">): string {
  if (!/^[a-z]$/i.test(key)) return key;
  return shiftKey ? key.toUpperCase() : key.toLowerCase();
}

function removeSelection(edits: Edits): void {
  edits.remove();
  keepFocusOnCanvas();
}

function plainActions(edits: Edits, { palette, form, onHelp, onFind, onLink }: Folds): Actions {
  const remove = () => removeSelection(edits);
  const clear = () => {
    edits.selectNone();
    // The library of the canvas takes the focus away from the task.
    keepFocusOnCanvas();
  };
  return {
    ...{ Delete: remove, Backspace: remove },
    Escape: clear,
    "?": onHelp,
    "/": onFind,
    c: onLink,
    t: () => palette.setOpen(!palette.isOpen),
    p: () => form.setOpen(!form.isOpen),
    l: edits.arrange,
    e: () => {
      form.setOpen(true);
      focusOn(firstFieldIn("[data-panel]"), "[data-panel] input, [data-panel] textarea, [data-panel] button");
    },
    a: () => {
      palette.setOpen(true);
      focusOn("[data-palette-search]");
    },
  };
}

/** Arrow keys scroll the canvas if nothing is selected; otherwise the canvas library itself moves the selected tasks. */
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
