/** Where a list is filtered, the likeliest first. */
const fields = ["main [data-list-filter]", "main [enterkeyhint=search]", "main search input"];

/**
 * To the field by which the list of the page is searched or filtered: for who has pressed a button that goes because all is shown again.
 */
export function focusFilter(): void {
  for (const field of fields) {
    const found = document.querySelector<HTMLElement>(field);
    if (found !== null) return found.focus();
  }
}
