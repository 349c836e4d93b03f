/** Building blocks of HTML for the page of the API document. Arguments named `html` are markup; all others are escaped. */

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

export function code(text: string): string {
  return `<code>${escapeHtml(text)}</code>`;
}

/** Supports only code and paragraphs of Markdown. */
export function prose(text: string): string {
  const html = escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");
  return html === "" ? "" : `<p>${html.replaceAll("\n\n", "</p>\n<p>")}</p>`;
}

/** The same within a line. */
export function words(text: string): string {
  return escapeHtml(text)
    .replace(/`([^`]+)`/g, "<code>$1</code>")
    .replace(/\n+/g, " ");
}

/** Empty if there are no rows. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const cells = (tag: "th" | "td", html: readonly string[]) => `<tr>${html.map((one) => `<${tag}>${one}</${tag}>`).join("")}</tr>`;
  return `<div class="wide"><table><thead>${cells("th", head)}</thead>
<tbody>${rows.map((row) => cells("td", row)).join("\n")}</tbody></table></div>`;
}

/** As JSON; a string as it is. */
export function sample(value: unknown): string {
  return `<pre>${escapeHtml(typeof value === "string" ? value : JSON.stringify(value, null, 2))}</pre>`;
}

export function anchor(text: string): string {
  return text.replace(/\W+/g, "-");
}
