/** To the field by which the list of the page is searched or filtered: for who has pressed a button that goes because all is shown again. */
export function focusFilter(): void {
  document.querySelector<HTMLElement>("main [data-list-filter], main [enterkeyhint=search], main input")?.focus();
}
