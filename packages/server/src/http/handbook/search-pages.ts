import MiniSearch from "minisearch";
import type { ApiDocument } from "../document/openapi.ts";
import type { Section } from "./render-markdown.ts";

/** A part of a page that matches the search. */
export interface FoundSection {
  /** With the anchor. */
  address: string;
  page: string;
  title: string;
  /** The words around the first match; plain text. */
  excerpt: string;
}

interface IndexedSection {
  id: number;
  address: string;
  page: string;
  title: string;
  text: string;
}

export interface SearchablePage {
  /** Without an anchor: `/docs/runs`. */
  address: string;
  title: string;
  sections: readonly Section[];
}

const mostFound = 30;
/** Pages that are indexed in one turn of the event loop, so that other requests are served while the index is built. */
const chunkSize = 20;
const excerptLength = 220;
/** Everyone may search, and each word is looked up in the whole index. Many short words would block the process for a second. */
const mostWords = 8;
const leastPrefix = 3;

/** Built at the first search, from the current pages. */
export class SearchIndex {
  readonly #index: MiniSearch<IndexedSection>;
  readonly #sections: IndexedSection[];

  /** Empty: `of` fills it. */
  constructor(sections: IndexedSection[]) {
    this.#sections = sections;
    this.#index = new MiniSearch<IndexedSection>({
      fields: ["title", "page", "text"],
      searchOptions: { boost: { title: 4, page: 2 }, prefix: isLong, fuzzy: (word) => (isLong(word) ? 0.15 : false), combineWith: "AND" },
    });
  }

  static async of(pages: readonly SearchablePage[]): Promise<SearchIndex> {
    const index = new SearchIndex(pages.flatMap(sectionsOf).map((section, id) => ({ ...section, id })));
    await index.#index.addAllAsync(index.#sections, { chunkSize });
    return index;
  }

  /** @param query as typed; @returns the best matches first */
  find(query: string): FoundSection[] {
    return this.#index
      .search(wordsOf(query))
      .slice(0, mostFound)
      .map(({ id, terms }) => {
        const { address, page, title, text } = this.#sections[id as number] as IndexedSection;
        return { address, page, title, excerpt: excerptOf(text, terms) };
      });
  }
}

function isLong(word: string): boolean {
  return word.length >= leastPrefix;
}

/** The words of a text as the library splits it, each once. */
function wordsOf(query: string): string {
  const words = query
    .slice(0, 200)
    .toLowerCase()
    .split(/[\n\r\p{Z}\p{P}]+/u);
  return [...new Set(words.filter((word) => word !== ""))].slice(0, mostWords).join(" ");
}

function sectionsOf({ address, title: page, sections }: SearchablePage): Omit<IndexedSection, "id">[] {
  return sections
    .filter(({ text, title }) => text.trim() !== "" || title !== "")
    .map(({ id, title, text }) => ({ address: `${address}${id === "" ? "" : `#${id}`}`, page, title: title || page, text }));
}

function excerptOf(text: string, terms: readonly string[]): string {
  const flat = text.replace(/\s+/g, " ").trim();
  const places = terms.map((term) => flat.toLowerCase().indexOf(term)).filter((at) => at >= 0);
  const start = Math.max(0, Math.min(...places, flat.length) - excerptLength / 3);
  const from = start === 0 || places.length === 0 ? 0 : flat.indexOf(" ", start) + 1;
  const cut = flat.slice(from, from + excerptLength);
  return `${from > 0 ? "… " : ""}${cut}${from + excerptLength < flat.length ? " …" : ""}`;
}

/** The operations of the API as a searchable page: by their path, and by what they do. */
export function searchableOperations({ paths }: ApiDocument): SearchablePage {
  const sections = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId = "", summary, description = "", parameters = [] }]) => ({
      id: operationId,
      title: `${method.toUpperCase()} ${path}`,
      text: [`${summary}.`, description, ...(parameters as { name: string }[]).map(({ name }) => name)].join(" "),
    })),
  );
  return { address: "/api/docs", title: "API reference", sections };
}
