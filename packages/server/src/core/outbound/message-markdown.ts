import { isDeepMarkdown } from "@millrace/contract/action/deep-markdown.ts";
import { Marked, type Renderer, type Tokens } from "marked";
import { escapeChatText } from "../chat/chat-text.ts";

/**
 * Messages of a workflow are Markdown, and the interface shows them so. Emails and chat messages do the same here, with three differences,
 * because the author of a workflow is not the operator of the instance: HTML is shown as text, a picture as its description, and a link with
 * its whole address, so that it can't look like one of ours.
 */

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => entities[letter] ?? letter);
}

/** More of them are no text that a person wrote, and parsing takes quadratic time. */
const maxMarks = 500;

function isParsed(text: string): boolean {
  return (text.match(/[*_~`>[\]|\\!]/g)?.length ?? 0) <= maxMarks && !isDeepMarkdown(text);
}

type Rules = Partial<Omit<Renderer<string, string>, "parser" | "options">>;

/** HTML is text, and bare addresses stay what they are: programs that show messages make links of them. */
function markedWith(renderer: ThisType<Renderer<string, string>> & Rules): Marked {
  const none = () => undefined;
  return new Marked({ renderer, tokenizer: { html: none, tag: none, url: none } });
}

/** Absolute, as a browser would open it; undefined if it leads to anything else than a page or an email address. */
function addressOf(href: string): string | undefined {
  if (!URL.canParse(href)) return undefined;
  const url = new URL(href);
  return ["https:", "http:", "mailto:"].includes(url.protocol) ? url.href : undefined;
}

/** @param show the address as a link */
function withAddress(label: string, { href, text }: Tokens.Link, show: (address: string) => string): string {
  const address = addressOf(href);
  if (address === undefined) return label;
  return text === href || text === address ? show(address) : `${label} (${show(address)})`;
}

const forMail = markedWith({
  heading({ tokens }) {
    return `<p><strong>${this.parser.parseInline(tokens)}</strong></p>\n`;
  },
  link(link) {
    return withAddress(this.parser.parseInline(link.tokens), link, (address) => {
      const shown = escapeHtml(address);
      return `<a href="${shown}">${shown}</a>`;
    });
  },
  image: ({ text }) => escapeHtml(text),
  code: ({ text }) => `<pre>${escapeHtml(text)}</pre>\n`,
  codespan: ({ text }) => `<code>${escapeHtml(text)}</code>`,
  checkbox: ({ checked }) => (checked ? "[x] " : "[ ] "),
  text(token) {
    return "tokens" in token && token.tokens ? this.parser.parseInline(token.tokens) : escapeHtml(token.text);
  },
});

/** Paragraphs, lists, tables and the like. @param text of the workflow, without control characters */
export function markdownAsHtml(text: string): string {
  if (isParsed(text)) return forMail.parse(text, { async: false, breaks: true }).trimEnd();
  return `<p>${escapeHtml(text).replaceAll("\n", "<br>\n")}</p>`;
}

const forChat = markedWith({
  heading({ tokens }) {
    return `*${this.parser.parseInline(tokens)}*\n`;
  },
  paragraph({ tokens }) {
    return `${this.parser.parseInline(tokens)}\n`;
  },
  blockquote({ tokens }) {
    return this.parser.parse(tokens).trimEnd().replace(/^/gm, ">").concat("\n");
  },
  list({ items, ordered, start }) {
    return items.map((item, index) => `${ordered ? `${Number(start) + index}.` : "•"} ${this.listitem(item)}`).join("");
  },
  listitem({ tokens, task, checked }) {
    const text = this.parser.parse(tokens).trimEnd().replaceAll("\n", "\n    ");
    return `${task ? (checked ? "[x] " : "[ ] ") : ""}${text}\n`;
  },
  // The platform has no tables.
  table: ({ raw }) => `${escapeChatText(raw.trimEnd(), Number.POSITIVE_INFINITY)}\n`,
  hr: () => "———\n",
  strong({ tokens }) {
    return `*${this.parser.parseInline(tokens)}*`;
  },
  em({ tokens }) {
    return `_${this.parser.parseInline(tokens)}_`;
  },
  del({ tokens }) {
    return `~${this.parser.parseInline(tokens)}~`;
  },
  link(link) {
    return withAddress(this.parser.parseInline(link.tokens), link, (address) => `<${escapeWhole(address).replaceAll("|", "%7C")}>`);
  },
  image: ({ text }) => escapeWhole(text),
  code: ({ text }) => `\`\`\`${escapeWhole(text)}\`\`\`\n`,
  codespan: ({ text }) => `\`${escapeWhole(text)}\``,
  checkbox: () => "",
  br: () => "\n",
  space: () => "\n",
  // The text of an item, before the list in it, or a part of a line.
  text(token) {
    return "tokens" in token && token.tokens ? `${this.parser.parseInline(token.tokens)}\n` : escapeWhole(token.text);
  },
});

const escapeWhole = (text: string) => escapeChatText(text, Number.POSITIVE_INFINITY);

/** In the markup of the chat platform. @param maxLength of the result; a longer one is cut, and not formatted */
export function markdownAsChat(text: string, maxLength: number): string {
  const formatted = text.length <= maxLength && isParsed(text) ? forChat.parse(text, { async: false }).trim() : undefined;
  return formatted !== undefined && formatted.length <= maxLength ? formatted : escapeChatText(text, maxLength);
}
