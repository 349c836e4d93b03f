/** The field to begin with in the form at that place: a script, or else another field. */
export function firstFieldIn(place: string): string {
  return [".cm-content", "input", "textarea"].map((field) => `${place} [data-first-field] ${field}`).join(", ");
}

/** Focuses an element as soon as it exists: its panel may have been collapsed. @param otherwise if there is none of the first kind */
export function focusOn(selector: string, otherwise?: string): void {
  requestAnimationFrame(() => {
    const found = document.querySelector<HTMLElement>(selector) ?? (otherwise && document.querySelector<HTMLElement>(otherwise));
    if (found) found.focus();
  });
}

/** Moves the focus to the canvas if the focused element has just been removed: the next key would be lost. */
export function keepFocusOnCanvas(): void {
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) focusOnCanvas();
  });
}

/**
 * Moves the focus to the form of a new task, whose first field takes it as soon as it is loaded. What is typed until then is lost, and is
 * no command of the canvas. A task without such a field has the focus itself.
 */
export function focusOnNew(id: string, hasField: boolean): void {
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return;
    if (hasField) focusOn("[data-panel]", ".react-flow");
    else focusOnCanvas(id);
  });
}

/** Focuses a task, a note or a link, or else the canvas, so that the keys of the canvas work. @param id in the drawing */
export function focusOnCanvas(id?: string): void {
  focusOn(id === undefined ? ".react-flow" : `.react-flow [data-id="${CSS.escape(id)}"]`, ".react-flow");
}
