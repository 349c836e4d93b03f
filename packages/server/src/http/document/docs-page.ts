import { anchor, escapeHtml, prose, sample } from "./docs-html.ts";
import { type PlacedOperation, renderOperation, type Schemas } from "./docs-operation.ts";
import { renderSchema } from "./docs-schema.ts";
import type { ApiDocument } from "./openapi.ts";

/** The API document as one page without scripts and without requests to other hosts. */
export function renderDocsPage(document: ApiDocument): string {
  const { title, description } = document.info;
  const schemas = document.components["schemas"] as Schemas;
  const tags = document["tags"] as { name: string; description?: string }[];
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} API</title>
<style>${style}</style>
</head>
<body>
<nav aria-label="Contents">
${tags.map(({ name }) => `<a href="#tag-${anchor(name)}">${escapeHtml(name)}</a>`).join("\n")}
<a href="#refusals">Refusals</a>
<a href="#schemas">Schemas</a>
</nav>
<main>
<h1>${escapeHtml(title)} API</h1>
${prose(description)}
<form action="/docs/" role="search"><input type="search" name="q" aria-label="Search the API and the handbook" placeholder="Search the API and the handbook" maxlength="200"></form>
<p>The <a href="/docs">handbook</a> explains the concepts. For programs: <a href="/api/docs/spec">OpenAPI ${escapeHtml(document.openapi)}</a>.
The curl lines use <code>MILLRACE</code>, the address, and <code>TOKEN</code>, an access token; names in braces are yours to fill in.</p>
${tags.map((tag) => renderTag(tag, operations, schemas)).join("\n")}
${renderRefusals(document.components["responses"] as Record<string, Refusal>)}
<h2 id="schemas">Schemas</h2>
${Object.entries(schemas)
  .map(([name, schema]) => renderSchema(name, schema))
  .join("\n")}
</main>
</body>
</html>
`;
}

function renderTag({ name, description = "" }: { name: string; description?: string }, all: PlacedOperation[], schemas: Schemas): string {
  const own = all.filter(({ operation }) => operation.tags.includes(name));
  return `<h2 id="tag-${anchor(name)}">${escapeHtml(name)}</h2>
${prose(description)}
${own.map((one) => renderOperation(one, schemas)).join("\n")}`;
}

interface Refusal {
  description: string;
  content: Record<string, { example?: { status?: string } }>;
}

/** Each error once; the operations link here. */
function renderRefusals(responses: Record<string, Refusal>): string {
  const kinds = Object.entries(responses).flatMap(([name, { description, content }]) => {
    const example = content["application/json"]?.example;
    if (example === undefined) return [];
    return `<h3 id="refusal-${anchor(name)}">${escapeHtml(example.status ?? name)}</h3>${prose(`${description}.`)}${sample(example)}`;
  });
  return `<h2 id="refusals">Refusals</h2>\n${kinds.join("\n")}`;
}

const style = `
:root { color-scheme: light dark; --line: #8884; --shade: #8881; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 82rem; display: flex; gap: 2rem; padding: 0 1rem; overflow-wrap: anywhere; }
nav { position: sticky; top: 0; align-self: flex-start; max-height: 100vh; overflow: auto; flex: 0 0 11rem; padding: 1.5rem 0; box-sizing: border-box; }
nav a { display: block; padding: .1rem 0; text-decoration: none; } nav a:hover { text-decoration: underline; }
main { flex: 1; min-width: 0; padding-bottom: 4rem; }
h2 { margin-top: 2.5rem; } h4 { margin: .8rem 0 0; } p { margin: .4rem 0; }
main > details { border-bottom: 1px solid var(--line); } main > details[open] { padding-bottom: 1rem; }
main > details > :not(summary) { margin-left: 1.2rem; }
form input { font: inherit; width: 100%; max-width: 30rem; padding: .3rem .6rem; }
summary { cursor: pointer; padding: .25rem 0; } summary b { display: inline-block; min-width: 4rem; } summary span { margin-left: .5rem; opacity: .8; }
:target, details:target > summary { background: var(--shade); }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-size: .9rem; }
th, td { text-align: left; vertical-align: top; padding: .2rem .8rem .2rem 0; border-bottom: 1px solid var(--line); overflow-wrap: normal; }
code, pre { font-family: ui-monospace, monospace; font-size: .9em; } pre { background: var(--shade); padding: .6rem; overflow-x: auto; }
@media (max-width: 50rem) { body { display: block; } nav { position: static; max-height: none; columns: 2; } }
`;
