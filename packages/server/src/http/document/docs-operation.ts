import { curlLine } from "./docs-curl.ts";
import { code, escapeHtml, prose, sample, table, words } from "./docs-html.ts";
import { type DocumentedSchema, nameOf, shape, typeCell } from "./docs-schema.ts";
import type { Operation } from "./openapi.ts";

/** An operation of the API document, with its method and path. */
export interface PlacedOperation {
  path: string;
  method: string;
  operation: Operation;
}

/** The named schemas, for their examples. */
export type Schemas = Readonly<Record<string, DocumentedSchema>>;

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  description?: string;
  schema: DocumentedSchema;
}

type Content = Record<string, { schema: DocumentedSchema; example?: unknown }>;

/** A summary line that opens to the parameters, the body and the responses. */
export function renderOperation({ path, method, operation }: PlacedOperation, schemas: Schemas): string {
  const { operationId, summary, description = "", requestBody, responses } = operation;
  return `<details id="${operationId}"><summary><b>${method}</b> ${code(path)} <span>${escapeHtml(summary)}</span></summary>
${prose(description)}
${parameterTable((operation.parameters ?? []) as Parameter[])}
${requestBody === undefined ? "" : body(requestBody as { required: boolean; content: Content }, schemas)}
${answers(responses as Record<string, Answer>, schemas)}
<h4>curl</h4>${sample(curlOf({ path, method, operation }, schemas))}
</details>`;
}

function curlOf({ path, method, operation }: PlacedOperation, schemas: Schemas): string {
  const { content } = (operation.requestBody ?? {}) as { content?: Content };
  const [mediaType] = Object.keys(content ?? {});
  const body = mediaType === undefined ? undefined : { mediaType, example: content && examplesOf(content, schemas)[0] };
  const needsCredential = (operation.security ?? []).length > 0;
  return curlLine({ method, path, parameters: (operation.parameters ?? []) as Parameter[], body, needsCredential });
}

function parameterTable(parameters: readonly Parameter[]): string {
  const rows = parameters.map(({ name, in: place, required, description = "", schema }) => [
    code(name),
    place,
    typeCell(schema),
    required ? "yes" : "",
    words(description),
  ]);
  return table(["Parameter", "In", "Type", "Required", "Meaning"], rows);
}

function body({ required, content }: { required: boolean; content: Content }, schemas: Schemas): string {
  return `<h4>Body${required ? "" : ", optional"}</h4><p>${contentShape(content)}</p>${exampleOf(content, schemas)}`;
}

interface Answer {
  $ref?: string;
  description?: string;
  content?: Content;
}

/** The successful response with its example, and links to the possible errors. */
function answers(responses: Record<string, Answer>, schemas: Schemas): string {
  const successes = Object.entries(responses).filter(([, { $ref }]) => $ref === undefined);
  const told = successes.map(([status, { description = "", content = {} }]) => {
    const shown = Object.keys(content).length === 0 ? escapeHtml(description) : contentShape(content);
    return `<p><b>${status}</b> ${shown}</p>${exampleOf(content, schemas)}`;
  });
  const refusals = Object.entries(responses).filter(([status, { $ref }]) => $ref !== undefined && status !== "default");
  const links = refusals.map(([status, { $ref }]) => `<a href="#refusal-${nameOf($ref!)}">${status}</a>`);
  return `<h4>Answer</h4>${told.join("")}${links.length === 0 ? "" : `<p>Refusals: ${links.join(" ")}</p>`}`;
}

function contentShape(content: Content): string {
  return Object.entries(content)
    .map(([type, { schema }]) => `${shape(schema)} <small>${escapeHtml(type)}</small>`)
    .join(" or ");
}

/** The example of a named schema, of a list of one, or of the first alternative; otherwise the example of the content itself. */
function exampleOf(content: Content, schemas: Schemas): string {
  const shown = examplesOf(content, schemas);
  return shown.length === 0 ? "" : `<details><summary>Example</summary>${sample(shown[0])}</details>`;
}

function examplesOf(content: Content, schemas: Schemas): unknown[] {
  return Object.values(content).flatMap(({ schema, example }) => [
    ...examplesIn(schema, schemas),
    ...(example === undefined ? [] : [example]),
  ]);
}

function examplesIn({ $ref, anyOf, items, examples = [] }: DocumentedSchema, schemas: Schemas): unknown[] {
  if ($ref !== undefined) return schemas[nameOf($ref)]?.examples ?? [];
  if (anyOf?.[0] !== undefined) return examplesIn(anyOf[0], schemas);
  if (examples.length > 0 || items === undefined) return examples;
  return examplesIn(items, schemas)
    .slice(0, 1)
    .map((one) => [one]);
}
