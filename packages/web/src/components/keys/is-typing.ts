/** Where what is typed is text, or belongs to a dialog or a menu: keys of the page do nothing there. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest("input:not([type=checkbox]), textarea, select, [contenteditable=true], [role=dialog], [role=menu]") !== null;
