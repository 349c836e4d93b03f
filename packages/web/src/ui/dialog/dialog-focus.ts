import { type Level, levelsOf, neighbourIn } from "./vanished-focus.ts";

/** A dialog, and where to continue when it closes. */
interface Opened {
  dialog: Element;
  opener: HTMLElement | undefined;
  /** Where to continue when the opener went with the thing that was deleted. */
  around: readonly Level[];
}

/**
 * Who opens a dialog by keyboard continues where they were when it closes, be that in another dialog. Dialogs do that themselves when
 * they are there before they open, and what opened them is there still; these two see to the rest. Once for the whole page.
 */
export function keepFocusAroundDialogs(): void {
  document.addEventListener("click", focusMenuButton, { capture: true });
  let opened: readonly Opened[] = [];
  let last: HTMLElement | undefined;
  document.addEventListener("focusin", ({ target, relatedTarget }) => {
    const dialog = target instanceof Element ? target.closest("[role=dialog]") : null;
    if (dialog !== null && !opened.some((one) => one.dialog === dialog)) {
      // A button waiting for the service is disabled, so it has lost the focus before the resulting dialog takes it.
      const opener = relatedTarget instanceof HTMLElement ? relatedTarget : last;
      opened = [...opened, { dialog, opener, around: opener === undefined ? [] : levelsOf(opener) }];
    }
    if (target instanceof HTMLElement) last = target;
  });
  new MutationObserver(() => {
    const [outermost] = opened.filter(({ dialog }) => !dialog.isConnected);
    if (outermost === undefined) return;
    opened = opened.filter(({ dialog }) => dialog.isConnected);
    if (document.activeElement !== document.body) return;
    const { opener, around } = outermost;
    const next = opener?.isConnected ? opener : neighbourIn(around);
    next?.focus({ preventScroll: true });
  }).observe(document.body, { childList: true, subtree: true });
}

/** A menu item no longer exists when its dialog closes, so the menu's button is focused before the item performs its action. */
function focusMenuButton({ target }: Event): void {
  const entry = target instanceof Element ? target.closest("[role=menuitem]:not([data-disabled], [aria-disabled=true])") : null;
  const button = entry?.closest("[role=menu]")?.getAttribute("aria-labelledby");
  if (button) document.getElementById(button)?.focus({ preventScroll: true });
}
