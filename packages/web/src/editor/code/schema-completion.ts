import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import type { CodeFormat } from "../draft/draft-text.ts";
import { matchingReferences, openReference } from "../form/references.ts";
import { keysAt, type Schema, type SchemaWord, toldAt, valuesAt } from "./schema-words.ts";
import { othersAt, placeAt } from "./text-place.ts";

/** Names that the text can use, in addition to the schema. */
export interface KnownWords {
  /** The tasks that can be used. */
  catalog: readonly string[];
  /** The tasks of this workflow. */
  tasks: readonly string[];
  /** The possible references. */
  references: readonly string[];
}

/** Completes members and values of a document, and references after `$(`. */
export function completeFrom(schema: Schema, format: CodeFormat, known: () => KnownWords) {
  return (context: CompletionContext): CompletionResult | null => {
    const text = context.state.doc.toString();
    const line = context.state.doc.lineAt(context.pos);
    const open = openReference(line.text, context.pos - line.from);
    if (open) return ofReferences(line.from + open.from + 2, known().references, open.typed, text[context.pos] === ")");
    const { path, isValue, typed, from } = placeAt(text, context.pos, format);
    if (typed === "" && !context.explicit && !isValue) return null;
    const others = isValue ? [] : othersAt(text, from, context.pos, format);
    const words = isValue ? valueWords(schema, path, known()) : keysAt(schema, path).filter(({ word }) => !others.includes(word));
    const options = words.map((each) => option(each, isValue, format, text[from - 1] === '"'));
    return options.length === 0 ? null : { from, options, validFor: /^[\w.-]*$/ };
  };
}

function ofReferences(from: number, references: readonly string[], typed: string, isClosed: boolean): CompletionResult {
  const offers = matchingReferences(
    references.map((name) => ({ name })),
    typed,
  );
  return {
    from,
    filter: false,
    options: offers.map(({ name }) => ({ label: name, type: "variable", apply: isClosed ? name : `${name})` })),
  };
}

/** `taskRef` names a task of the catalogue; in a dependency, a task of this workflow. */
function valueWords(schema: Schema, path: readonly string[], { catalog, tasks }: KnownWords): SchemaWord[] {
  if (path.at(-1) === "taskRef") return (path.includes("dependencies") ? tasks : catalog).map((word) => ({ word, told: "" }));
  return valuesAt(schema, path);
}

function option({ word, told }: SchemaWord, isValue: boolean, format: CodeFormat, isQuoted: boolean): Completion {
  const [type, ...rest] = told.split("\n");
  const apply = isValue ? word : format === "yaml" ? `${word}: ` : isQuoted ? word : `"${word}": `;
  return { label: word, type: isValue ? "enum" : "property", detail: type ?? "", ...(rest.length > 0 && { info: rest.join("\n") }), apply };
}

/** The schema's description of the member at a position. */
export function toldFrom(schema: Schema, format: CodeFormat) {
  return (text: string, at: number) => {
    const from = at - (/[\w-]*$/.exec(text.slice(Math.max(0, at - 80), at))?.[0].length ?? 0);
    const to = at + (/^[\w-]*/.exec(text.slice(at, at + 80))?.[0].length ?? 0);
    const { path, isValue } = placeAt(text, from, format);
    const isKey = !isValue && to > from && /^["']?\s*:/.test(text.slice(to, to + 3));
    const told = isKey ? toldAt(schema, [...path, text.slice(from, to)]) : "";
    return told === "" ? undefined : { from, to, text: told };
  };
}
