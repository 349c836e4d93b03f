import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { FastifyInstance, FastifyReply } from "fastify";
import { productVersion } from "../../base/file/repository-root.ts";
import { escapeHtml } from "../document/docs-html.ts";
import { type Contents, isPageName, pagesOf, readContents } from "./contents.ts";
import { frame } from "./frame.ts";
import { type RenderedPage, renderMarkdown } from "./render-markdown.ts";
import { type SearchablePage, SearchIndex } from "./search-pages.ts";

/**
 * The handbook at /docs: the documents of this version, rendered on the first request and then cached. There is no build step, no script in
 * the browser, and no access to other hosts. Everyone may read it, since it contains nothing about the instance.
 */

const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "referrer-policy": "same-origin",
  "cache-control": "no-cache",
} as const;

interface Handbook {
  /** A page, or the first one for the empty name. Undefined if there is none of that name. */
  page(name: string): string | undefined;
  found(query: string): Promise<string>;
}

/**
 * @param folder of the documents; if it doesn't exist, there is no handbook
 * @param more further pages for the search, built at the first search
 */
export function addHandbook(app: FastifyInstance, folder: string, more: () => SearchablePage[] = () => []): void {
  if (!existsSync(join(folder, "README.md"))) return;
  const handbook = openHandbook(folder, more);
  const send = (reply: FastifyReply, html: string) => reply.headers(pageHeaders).send(html);
  const sendPage = (reply: FastifyReply, name: string) => {
    const html = handbook.page(name);
    return html === undefined ? void reply.callNotFound() : send(reply, html);
  };
  app.get("/docs", async (request, reply) => {
    const query = new URLSearchParams(request.url.split("?", 2)[1]).get("q")?.trim() ?? "";
    return query === "" ? sendPage(reply, "") : send(reply, await handbook.found(query));
  });
  app.get<{ Params: { name: string } }>("/docs/:name", (request, reply) => sendPage(reply, request.params.name));
  app.get<{ Params: { folder: string; name: string } }>("/docs/:folder/:name", (request, reply) => {
    const { folder: inner, name } = request.params;
    return inner === "pictures" ? sendPicture(reply, folder, name) : sendPage(reply, `${inner}/${name}`);
  });
}

function sendPicture(reply: FastifyReply, folder: string, name: string): FastifyReply | undefined {
  const file = join(folder, "pictures", name);
  if (!/^[a-z-]+\.png$/.test(name) || !existsSync(file)) return void reply.callNotFound();
  return reply.headers({ "content-type": "image/png", "cache-control": "public, max-age=3600" }).send(readFileSync(file));
}

function openHandbook(folder: string, more: () => SearchablePage[]): Handbook {
  const contents = readContents(folder);
  const order = pagesOf(contents);
  const names = new Set(order.map(({ name }) => name));
  const rendered = new Map<string, RenderedPage>();
  const render = (name: string): RenderedPage => {
    const known = rendered.get(name);
    if (known) return known;
    const markdown = readFileSync(join(folder, `${name || "README"}.md`), "utf8");
    const page = renderMarkdown(markdown, { name: name || "README", hasPage: (one) => names.has(one) });
    rendered.set(name, page);
    return page;
  };
  let index: Promise<SearchIndex> | undefined;
  return {
    page(name) {
      if (name !== "" && !(isPageName(name) && names.has(name))) return undefined;
      const { title, html, headings } = render(name);
      return frame(contents, productVersion, { title, html, headings, ...(name !== "" && { name }) });
    },
    async found(query) {
      index ??= indexPages(
        order.map(({ name }) => name),
        render,
        more,
      );
      return frame(contents, productVersion, { title: "Search", html: renderFound(await index, query, contents), headings: [], query });
    },
  };
}

/** One page in each turn of the event loop, so that other requests are served in between. */
async function indexPages(
  names: readonly string[],
  render: (name: string) => RenderedPage,
  more: () => SearchablePage[],
): Promise<SearchIndex> {
  const pages: SearchablePage[] = [];
  for (const name of names) {
    const { title, sections } = render(name);
    pages.push({ address: `/docs/${name}`, title, sections });
    await new Promise((resolve) => setImmediate(resolve));
  }
  return SearchIndex.of([...pages, ...more()]);
}

function renderFound(index: SearchIndex, query: string, { title }: Contents): string {
  const found = index.find(query);
  const items = found.map(
    ({ address, page, title: section, excerpt }) =>
      `<li><a href="${escapeHtml(address)}">${escapeHtml(section)}</a><small>${escapeHtml(page)}</small>${escapeHtml(excerpt)}</li>`,
  );
  const head = `<h1>${found.length === 0 ? "Nothing found" : "Found"} for “${escapeHtml(query)}”</h1>`;
  if (found.length === 0) return `${head}<p>Try fewer words, or see the <a href="/docs/">contents</a> of the ${escapeHtml(title)}.</p>`;
  return `${head}<ol class="found">${items.join("")}</ol>`;
}
