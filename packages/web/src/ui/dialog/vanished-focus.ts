/** Groups of related elements: when the focused element disappears, the focus stays in its group. */
const groups = "search, form, fieldset, section, aside, table, ul, ol, dl, [role=search], [role=group], [role=toolbar], [role=dialog]";
const focusable = "a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex='0']";

/** A level between the focused element and its group, at which to look for a neighbour. */
export interface Level {
  parent: Element;
  next: Element | null;
  before: Element | null;
}

/**
 * When a filter, an item or a row is removed by keyboard, the focus moves to the next element, otherwise to the previous one. Without this,
 * it would return to the top of the page, because the pressed button no longer exists. Called once for the whole page.
 */
export function keepFocusWhereThingsVanish(): void {
  let held: Element | undefined;
  let levels: readonly Level[] = [];
  document.addEventListener("focusin", ({ target }) => {
    held = target instanceof Element ? target : undefined;
    levels = held === undefined ? [] : levelsOf(held);
  });
  new MutationObserver(() => {
    if (held === undefined || held.isConnected) return;
    held = undefined;
    if (document.activeElement === document.body) neighbourIn(levels)?.focus({ preventScroll: true });
  }).observe(document.body, { childList: true, subtree: true });
}

/** From the innermost to the outermost group, but only inside the page's content: whatever replaces that is another page. */
export function levelsOf(element: Element): Level[] {
  const levels: Level[] = [];
  let known = 0;
  for (let one = element; one.parentElement !== null && !one.matches("main, [role=dialog]"); one = one.parentElement) {
    levels.push({ parent: one.parentElement, next: one.nextElementSibling, before: one.previousElementSibling });
    if (one.parentElement.matches(groups)) known = levels.length;
  }
  return levels.slice(0, known);
}

/** The nearest of them that still exists. */
export function neighbourIn(levels: readonly Level[]): HTMLElement | undefined {
  for (const { parent, next, before } of levels) {
    if (!parent.isConnected) continue;
    const found = firstIn(next) ?? lastIn(before) ?? firstIn(parent);
    if (found !== undefined) return found;
  }
  return undefined;
}

function firstIn(element: Element | null): HTMLElement | undefined {
  return reachable(element)[0];
}

function lastIn(element: Element | null): HTMLElement | undefined {
  return reachable(element).at(-1);
}

/** The visible, focusable elements inside it; itself first. */
function reachable(element: Element | null): HTMLElement[] {
  if (element === null || !element.isConnected) return [];
  const all = [...(element.matches(focusable) ? [element] : []), ...element.querySelectorAll(focusable)];
  return all.filter(
    (one): one is HTMLElement =>
      one instanceof HTMLElement && one.getClientRects().length > 0 && one.tabIndex >= 0 && one.getAttribute("aria-hidden") !== "true",
  );
}
