/** Things that belong together: the focus stays among them when the one that has it goes. */
const groups = "search, form, fieldset, section, aside, table, ul, ol, dl, [role=search], [role=group], [role=toolbar], [role=dialog]";
const focusable = "a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex='0']";

/** One step on the way from what has the focus to the group: where it is to be looked for a neighbour. */
export interface Level {
  parent: Element;
  next: Element | null;
  before: Element | null;
}

/**
 * Who takes away a filter, a line of a list or a row by keyboard goes on beside it: with what comes next, else with what was
 * before. Without this the focus would be at the top of the page again, because the button that was pressed is gone. Once for the
 * whole page.
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

/**
 * From the inside to the outermost of the groups, but no further than the page's own content: what is shown instead of that is
 * another page.
 */
export function levelsOf(element: Element): Level[] {
  const levels: Level[] = [];
  let known = 0;
  for (let one = element; one.parentElement !== null && !one.matches("main, [role=dialog]"); one = one.parentElement) {
    levels.push({ parent: one.parentElement, next: one.nextElementSibling, before: one.previousElementSibling });
    if (one.parentElement.matches(groups)) known = levels.length;
  }
  return levels.slice(0, known);
}

/** What of them is still there, nearest first. */
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

/** What can have the focus in it and is seen; itself first. */
function reachable(element: Element | null): HTMLElement[] {
  if (element === null || !element.isConnected) return [];
  const all = [...(element.matches(focusable) ? [element] : []), ...element.querySelectorAll(focusable)];
  return all.filter(
    (one): one is HTMLElement =>
      one instanceof HTMLElement && one.getClientRects().length > 0 && one.tabIndex >= 0 && one.getAttribute("aria-hidden") !== "true",
  );
}
