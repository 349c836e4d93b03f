import { posix } from "node:path";
import { Marked, type Token, type Tokens } from "marked";
import { escapeHtml } from "../document/docs-html.ts";

/** A page of the handbook, as HTML for its frame. */
export interface RenderedPage {
  title: string;
  html: string;
  /** Headings of the second level, for the list beside the page. */
  headings: { id: string; text: string }[];
  /** Searchable sections, each with its address. */
  sections: Section[];
}

export interface Section {
  /** Of the heading; empty for the text before the first one. */
  id: string;
  title: string;
  text: string;
}

interface RenderOptions {
  /** `workflows` or `tasks/script`: links are resolved from there. */
  name: string;
  /** Whether the handbook has a page of that name. */
  hasPage(name: string): boolean;
}

/** @param markdown of one of our documents; HTML in it is shown as text */
export function renderMarkdown(markdown: string, { name, hasPage }: RenderOptions): RenderedPage {
  const seen = new Map<string, number>();
  const page: RenderedPage = { title: name, html: "", headings: [], sections: [{ id: "", title: "", text: "" }] };
  const marked = new Marked({
    renderer: {
      html: ({ text }) => escapeHtml(text),
      heading({ tokens, depth }) {
        const text = plainText(tokens);
        const id = uniqueSlug(text, seen);
        if (depth === 2) page.headings.push({ id, text });
        return `<h${depth} id="${escapeHtml(id)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        const address = addressOf(href, name, hasPage);
        if (address === undefined) return `<a title="${escapeHtml(`${href} is in the repository`)}">${inner}</a>`;
        return `<a href="${escapeHtml(address)}">${inner}</a>`;
      },
      image({ href, text }) {
        return `<img src="${escapeHtml(posix.join("/docs", posix.dirname(name), href))}" alt="${escapeHtml(text)}">`;
      },
    },
  });
  const tokens = marked.lexer(withoutComments(markdown));
  collectSections(tokens, page);
  return { ...page, html: marked.parser(tokens) };
}

/** Marks for the tests that execute the examples. */
function withoutComments(markdown: string): string {
  return markdown.replace(/^<!--[\s\S]*?-->\n?/gm, "");
}

function collectSections(tokens: readonly Token[], page: RenderedPage): void {
  const seen = new Map<string, number>();
  for (const token of tokens) {
    if (token.type !== "heading") {
      const last = page.sections.at(-1) as Section;
      last.text += `${plainText([token])}\n`;
      continue;
    }
    const { depth, tokens: words } = token as Tokens.Heading;
    const title = plainText(words);
    const id = uniqueSlug(title, seen);
    if (depth === 1) page.title = title;
    page.sections.push({ id: depth === 1 ? "" : id, title, text: "" });
  }
}

/** The visible text, without markup. */
function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === "table") return tableText(token as Tokens.Table);
      if (token.type === "list") return (token as Tokens.List).items.map((item) => plainText(item.tokens)).join(" ");
      if ("tokens" in token && token.tokens) return plainText(token.tokens);
      if (token.type === "br" || token.type === "space") return " ";
      return "text" in token ? unescaped(String(token.text)) : "";
    })
    .join(" ".repeat(tokens.some(({ type }) => type === "paragraph" || type === "list_item") ? 1 : 0));
}

function tableText({ header, rows }: Tokens.Table): string {
  return [header, ...rows].map((row) => row.map((cell) => plainText(cell.tokens)).join(" ")).join(" ");
}

/** The lexer leaves entities in texts undecoded. */
function unescaped(text: string): string {
  return text
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, "&");
}

/** Anchors in the style of code hosts, so that links work in both places. */
function uniqueSlug(text: string, seen: Map<string, number>): string {
  const slug = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");
  const count = seen.get(slug) ?? 0;
  seen.set(slug, count + 1);
  return count === 0 ? slug : `${slug}-${count}`;
}

/** Below /docs for a page of the handbook; undefined for anything else, such as a file of the repository. */
function addressOf(href: string, from: string, hasPage: (name: string) => boolean): string | undefined {
  if (/^(?:https?:|#)/.test(href)) return href;
  if (/^[a-z]+:/i.test(href)) return undefined;
  const [path = "", anchor] = href.split("#");
  const name = posix.join(posix.dirname(from), path).replace(/\.md$/, "");
  if (name !== "README" && !hasPage(name)) return undefined;
  return `/docs/${name === "README" ? "" : name}${anchor === undefined ? "" : `#${anchor}`}`;
}
