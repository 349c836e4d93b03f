import { escapeHtml } from "../document/docs-html.ts";
import type { Contents, PageLink } from "./contents.ts";

/** The frame of a page: the parts of the handbook, the search, and links to the previous and next page. */
export interface Framed {
  title: string;
  /** HTML of the page itself. */
  html: string;
  headings: readonly { id: string; text: string }[];
  /** The page that is shown. Undefined for the first page and for search results. */
  name?: string;
  /** The search text. */
  query?: string;
}

/** A whole page: no scripts, nothing from other hosts, dark if the reader's system is. */
export function frame(contents: Contents, version: string, { title, html, headings, name, query = "" }: Framed): string {
  const order = contents.parts.flatMap(({ pages }) => pages);
  const at = order.findIndex((page) => page.name === name);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Millrace</title>
<link rel="icon" href="/icon.svg">
<style>${style}</style>
</head>
<body>
<a class="skip" href="#page">Skip to the page</a>
<header>
<a class="home" href="/docs/">Millrace <b>handbook</b></a>
<form action="/docs/" role="search"><input type="search" name="q" aria-label="Search the handbook" placeholder="Search" value="${escapeHtml(query)}" maxlength="200"></form>
<span><a class="narrow" href="#contents">Contents</a><a href="/api/docs">API reference</a><a href="/">Open Millrace</a><small>${escapeHtml(version)}</small></span>
</header>
<div class="columns">
<main id="page">
${html}
${renderNeighbours(at < 0 ? undefined : order[at - 1], at < 0 ? undefined : order[at + 1])}
</main>
<nav id="contents" aria-label="Handbook">
${contents.parts.map((part) => renderPart(part.title, part.pages, name)).join("\n")}
</nav>
${renderHeadings(headings)}
</div>
</body>
</html>
`;
}

function renderPart(title: string, pages: readonly PageLink[], current: string | undefined): string {
  const links = pages.map((page) => {
    const mark = page.name === current ? ' aria-current="page"' : "";
    return `<a href="/docs/${page.name}"${mark}>${escapeHtml(page.title)}</a>`;
  });
  return `<b>${escapeHtml(title)}</b>${links.join("")}`;
}

function renderHeadings(headings: Framed["headings"]): string {
  if (headings.length < 2) return "<aside></aside>";
  const links = headings.map(({ id, text }) => `<a href="#${escapeHtml(id)}">${escapeHtml(text)}</a>`);
  return `<aside><nav aria-label="On this page"><b>On this page</b>${links.join("")}</nav></aside>`;
}

function renderNeighbours(before: PageLink | undefined, after: PageLink | undefined): string {
  if (!before && !after) return "";
  const link = (page: PageLink | undefined, word: string) =>
    page ? `<a href="/docs/${page.name}"><small>${word}</small>${escapeHtml(page.title)}</a>` : "<span></span>";
  return `<nav class="neighbours" aria-label="Before and after">${link(before, "Before")}${link(after, "Next")}</nav>`;
}

const style = `
:root { color-scheme: light dark; --line: light-dark(#d0d7de, #3a4048); --shade: light-dark(#f3f5f7, #22262b); --dim: light-dark(#57606a, #9aa4ae);
 --link: light-dark(#0b5cad, #79b8ff); --paper: light-dark(#fff, #16191d); --ink: light-dark(#1f2328, #e3e7eb); }
* { box-sizing: border-box; }
html { scroll-padding-top: 4rem; }
body { margin: 0; font: 16px/1.6 system-ui, sans-serif; background: var(--paper); color: var(--ink); overflow-wrap: break-word; }
a { color: var(--link); text-underline-offset: .15em; }
.skip { position: absolute; left: -99rem; } .skip:focus { left: 1rem; top: 1rem; background: var(--paper); padding: .5rem; z-index: 2; }
header { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; align-items: center; padding: .6rem 1.25rem;
 background: var(--paper); border-bottom: 1px solid var(--line); }
header .home { color: inherit; text-decoration: none; } header form { flex: 1; max-width: 26rem; } header span { margin-left: auto; display: flex; gap: 1.25rem; align-items: baseline; }
header small { color: var(--dim); }
input { width: 100%; font: inherit; padding: .3rem .7rem; border: 1px solid var(--line); border-radius: .4rem; background: var(--shade); color: inherit; }
.columns { display: grid; grid-template-columns: 16rem minmax(0, 1fr) 14rem; gap: 2.5rem; max-width: 90rem; margin: 0 auto; padding: 0 1.25rem; }
nav b { display: block; margin: 1.1rem 0 .2rem; font-size: .85rem; color: var(--dim); }
.columns > nav, aside nav { position: sticky; top: 3.6rem; max-height: calc(100vh - 4rem); overflow: auto; padding: .5rem 0 2rem; font-size: .93rem; }
.columns > nav a, aside a { display: block; padding: .12rem .5rem; margin-left: -.5rem; border-radius: .3rem; color: inherit; text-decoration: none; }
.columns > nav a:hover, aside a:hover { background: var(--shade); } nav a[aria-current] { background: var(--shade); color: var(--link); font-weight: 600; }
.columns > nav { order: -1; }
.narrow { display: none; } a:not([href]) { color: inherit; text-decoration: none; }
main { min-width: 0; max-width: 52rem; padding: 1rem 0 4rem; }
h1 { line-height: 1.25; margin: .6rem 0 1rem; } h2 { margin: 2.4rem 0 .6rem; padding-top: .4rem; border-top: 1px solid var(--line); } h3 { margin: 1.6rem 0 .4rem; }
code, pre { font-family: ui-monospace, "SFMono-Regular", Menlo, monospace; font-size: .88em; } code { background: var(--shade); padding: .1em .3em; border-radius: .25em; }
pre { background: var(--shade); border: 1px solid var(--line); border-radius: .4rem; padding: .8rem 1rem; overflow-x: auto; line-height: 1.45; } pre code { background: none; padding: 0; }
table { display: block; overflow-x: auto; border-collapse: collapse; font-size: .93rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem .9rem .35rem 0; border-bottom: 1px solid var(--line); overflow-wrap: normal; }
img { max-width: 100%; height: auto; border: 1px solid var(--line); border-radius: .4rem; }
.found { list-style: none; padding: 0; } .found li { margin: 0 0 1.2rem; } .found small { color: var(--dim); display: block; }
.neighbours { display: flex; justify-content: space-between; gap: 1rem; margin-top: 3rem; } .neighbours a { border: 1px solid var(--line); border-radius: .4rem; padding: .5rem .9rem; text-decoration: none; }
.neighbours small { display: block; color: var(--dim); }
@media (max-width: 75rem) { .columns { grid-template-columns: 15rem minmax(0, 1fr); } aside { display: none; } }
@media (max-width: 52rem) { .columns { display: block; } .columns > nav { position: static; max-height: none; border-top: 1px solid var(--line); } .narrow { display: inline; }
 header span { margin-left: 0; } header form { flex-basis: 100%; order: 3; max-width: none; } }
@media print { header, nav, aside { display: none; } .columns { display: block; } }
`;
