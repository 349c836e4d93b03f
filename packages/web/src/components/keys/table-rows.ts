const linkOfRow = "a[href], button:not([disabled])";

/** The focus goes to the next or the last row of the page's tables: to what opens it. */
export function stepRow(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>("main tbody tr")].filter(
    (row) => targetOf(row) !== null && row.offsetParent !== null,
  );
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const row = rows[at === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))];
  if (row !== undefined) targetOf(row)?.focus();
}

function targetOf(row: HTMLElement): HTMLElement | null {
  return row.querySelector<HTMLElement>("[data-row-link]") ?? row.querySelector<HTMLElement>(linkOfRow);
}

/** The focus goes to the field by which the page's list is searched. */
export function focusFilter(): void {
  const named = document.querySelector<HTMLElement>("main [data-list-filter]");
  (named ?? document.querySelector<HTMLElement>("main input[type=search], main input[type=text]:not([aria-haspopup])"))?.focus();
}
