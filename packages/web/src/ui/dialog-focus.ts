import { type Level, levelsOf, neighbourIn } from "./vanished-focus.ts";

/**
 * Who opens a dialog by keyboard goes on where he was when it closes. Dialogs do that themselves when they are there before they open, and what
 * opened them is there still; these two see to the rest. Once for the whole page.
 */
export function keepFocusAroundDialogs(): void {
  document.addEventListener("click", focusMenuButton, { capture: true });
  let opener: HTMLElement | undefined;
  /** Where to go on when the opener went with the thing that was deleted. */
  let around: readonly Level[] = [];
  let last: HTMLElement | undefined;
  document.addEventListener("focusin", ({ target, relatedTarget }) => {
    if (!isInDialog(target)) {
      if (target instanceof HTMLElement) last = target;
      return;
    }
    if (isInDialog(relatedTarget) || (opener !== undefined && relatedTarget === null)) return;
    // A button that waits for the service is switched off, and has lost the focus before the dialog that answers it takes it.
    opener = relatedTarget instanceof HTMLElement ? relatedTarget : last;
    around = opener === undefined ? [] : levelsOf(opener);
  });
  new MutationObserver(() => {
    if (opener === undefined || document.querySelector("[role=dialog]") !== null) return;
    if (document.activeElement !== document.body) {
      if (!isInDialog(document.activeElement)) opener = undefined;
      return;
    }
    const next = opener.isConnected ? opener : neighbourIn(around);
    next?.focus({ preventScroll: true });
    opener = undefined;
  }).observe(document.body, { childList: true, subtree: true });
}

/** An entry of a menu is gone when its dialog closes: the button of the menu takes the focus before the entry does its deed. */
function focusMenuButton({ target }: Event): void {
  const entry = target instanceof Element ? target.closest("[role=menuitem]:not([data-disabled], [aria-disabled=true])") : null;
  const button = entry?.closest("[role=menu]")?.getAttribute("aria-labelledby");
  if (button) document.getElementById(button)?.focus({ preventScroll: true });
}

function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("[role=dialog]") !== null;
}
