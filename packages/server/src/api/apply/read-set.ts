import { setImmediate } from "node:timers/promises";
import { type ApplyProblem, applyLimits } from "@millrace/contract/apply.ts";
import { isMap } from "yaml";
import { AppError } from "../../base/error/app-error.ts";
import { type ApplyScope, type DocumentHead, type DocumentKind, decideKind } from "../../core/apply/apply-kind.ts";
import { documentKey } from "../../core/apply/apply-order.ts";
import { WorkBudget } from "../../core/document/work-budget.ts";
import { splitYamlStream, type YamlPart } from "../../core/document/yaml-stream.ts";
import { readYamlDocuments, type YamlDocument, YamlError } from "../../core/document/yaml-tree.ts";
import { type DocumentPlace, problemOf, problemsOf } from "./apply-problems.ts";
import { type Content, ContentError, readContent, type WrittenDocument, yamlFault } from "./read-content.ts";

/** A parsed document: its kind, and what is to be saved. */
export type SetDocument = DocumentPlace & Content & { kind: DocumentKind["kind"] };

export interface ReadSet {
  documents: SetDocument[];
  /** Documents that have a kind but can't be read as such, by their keys. */
  unreadable: Map<string, DocumentPlace>;
  problems: ApplyProblem[];
}

interface Body {
  body: unknown;
  rawBody: string;
  mediaType: string;
  headers: Readonly<Record<string, string | undefined>>;
}

/** Of all documents together: some 100,000 lines. Reading them takes seconds, in which other requests are served. */
const maxTokens = 600_000;

/**
 * Reads all documents of a set, and continues after one with errors. The other requests of the process are served between two documents.
 * @throws VALIDATION_FAILED for an empty set, or one with too many documents
 */
export async function readSet(request: Body, scope: ApplyScope): Promise<ReadSet> {
  const set: ReadSet = { documents: [], unreadable: new Map(), problems: [] };
  const written = request.mediaType === "application/x-yaml" ? readYaml(request) : readJson(request.body);
  let count = 0;
  for (const next of written) {
    const index = count++;
    if (count > applyLimits.documents) throw invalidSet(`has more than ${applyLimits.documents} documents; apply them in several requests`);
    readOne(set, { ...next, index, headers: request.headers }, scope);
    await setImmediate();
  }
  if (count === 0) throw invalidSet("contains no document");
  return set;
}

function invalidSet(message: string): AppError {
  return new AppError("VALIDATION_FAILED", [`the body ${message}`], { details: [{ path: "", message }] });
}

/** A document of the body, or why it isn't valid YAML. */
type Next = Omit<WrittenDocument, "index" | "headers"> | { error: AppError };

function* readJson(body: unknown): Generator<Next> {
  for (const value of Array.isArray(body) ? body : [body]) {
    const members = value as Record<string, unknown>;
    const { apiVersion, kind, name, metadata } = members;
    const head = {
      apiVersion,
      kind,
      name: name ?? (metadata as { name?: unknown } | null | undefined)?.name,
      members: Object.keys(members),
    };
    yield { head, value: members };
  }
}

function* readYaml({ rawBody }: Body): Generator<Next> {
  const budget = new WorkBudget(maxTokens);
  for (const part of partsOf(rawBody)) yield* readPart(part, budget);
}

function partsOf(text: string): YamlPart[] {
  try {
    return splitYamlStream(text, applyLimits.documents);
  } catch (error) {
    if (error instanceof YamlError) throw yamlFault(error);
    throw error;
  }
}

function* readPart(part: YamlPart, budget: WorkBudget): Generator<Next> {
  let documents: YamlDocument[];
  try {
    documents = readYamlDocuments(part.text, part.firstLine, budget);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    yield { error: yamlFault(error) };
    return;
  }
  for (const document of documents) yield { head: headOf(document), yaml: { document, part, isAlone: documents.length === 1 } };
}

function headOf({ root }: YamlDocument): DocumentHead {
  if (!isMap(root)) return { members: [] };
  const members = root.items.map(({ key }) => String((key as { value?: unknown } | null)?.value ?? ""));
  const name = root.get("name") ?? root.getIn(["metadata", "name"]);
  return { apiVersion: root.get("apiVersion"), kind: root.get("kind"), name, members };
}

function readOne(set: ReadSet, next: Next & Pick<WrittenDocument, "index" | "headers">, scope: ApplyScope): void {
  const { index } = next;
  if ("error" in next) return void set.problems.push(...problemsOf({ index, hasLines: true }, next.error));
  const { yaml, head } = next;
  const given = typeof head.kind === "string" ? head.kind : undefined;
  const name = typeof head.name === "string" ? head.name : undefined;
  const placeOf = yaml && (() => yaml.document.place(yaml.document.root?.range?.[0] ?? 0));
  const place: DocumentPlace = { index, kind: given, name, hasLines: yaml !== undefined, placeOf };
  const kind = decideKind(head, scope);
  if ("message" in kind) return void set.problems.push(problemOf(place, kind));
  try {
    const content = readContent(next, kind);
    set.documents.push({ ...place, ...(content.placeOf && { placeOf: content.placeOf }), ...content, kind: kind.kind });
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    const known: DocumentPlace = { ...place, kind: kind.kind, ...(error.placeOf && { placeOf: error.placeOf }) };
    if (name !== undefined) set.unreadable.set(documentKey(kind.kind, name), known);
    set.problems.push(...problemsOf(known, error.fault));
  }
}
