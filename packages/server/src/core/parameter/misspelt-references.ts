import { nearestName } from "../../base/text/nearest-name.ts";
import { contextParameters } from "./parameters-available.ts";
import { isInOrder, scanReferences, textsOf } from "./references.ts";

/**
 * Text that looks as if it was meant as a reference and is none: `$(param.city)`, `$(workflow.parameters.city)`,
 * `$( params.city )`. It stays as written, and a shell runs it as a command. What other products write, `{{ params.city }}`
 * and `${{ params.city }}`, counts too. A shell's own `$(date)`, `$(cat file)` and `$(./build.sh)` do not: only words with dots or
 * brackets between them are examined, and only where the first is nearly one that begins a reference.
 */

interface MisspeltReference {
  /** As written. */
  text: string;
  /** The correct form. */
  meant: string;
}

/** Each spelling once. Time is linear in the text. */
export function findMisspelt(text: string): MisspeltReference[] {
  const patterns = [...(text.includes("$(") ? [bracketed] : []), ...(text.includes("{{") ? [doubleBraces] : [])];
  const found = new Map<string, MisspeltReference>();
  for (const pattern of patterns) {
    for (const { 0: whole, groups } of text.matchAll(pattern)) {
      const meant = found.has(whole) ? undefined : meantBy(groups?.["root"] ?? "", groups?.["rest"] ?? "", whole);
      if (meant !== undefined) found.set(whole, { text: whole, meant: `$(${meant})` });
    }
  }
  return [...found.values()];
}

const step = String.raw`\.[\p{L}\p{N}_-]{1,100}|\[(?:'[^'\p{Cc}]{1,100}'|"[^"\p{Cc}]{1,100}"|\d{1,9}|\*)\]`;
const inside = `(?<root>[A-Za-z]{1,20})(?<rest>(?:${step}){1,20})`;
const bracketed = new RegExp(String.raw`\$\([ \t]{0,10}${inside}[ \t]{0,10}\)`, "gu");
const steps = new RegExp(step, "gu");
const doubleBraces = new RegExp(String.raw`\$?\{\{[ \t]{0,10}${inside}[ \t]{0,10}\}\}`, "gu");

/** Undefined: it is a reference, or does not look as if it was meant as one. */
function meantBy(root: string, rest: string, whole: string): string | undefined {
  // The most common case first: a document can have thousands of these.
  if (whole.startsWith("$(params.") || /^\$\(tasks?\.[^.]+\.results\./.test(whole)) return undefined;
  if (/^\.(?:sh|bash|py|js|mjs|ts|rb|pl|php|exe|bat|cmd|ps1|jar)$/i.test(rest)) return undefined;
  const meant = wellWritten(root, rest);
  return meant === undefined || whole === `$(${meant})` ? undefined : meant;
}

const layers = ["global", "team", "workflow", "context"];
/** Words for a parameter in other products. */
const ofParameters = new Set(["parameters", "parameter", "inputs", "input", "vars", "secrets"]);

function wellWritten(root: string, rest: string): string | undefined {
  const [first = "", ...more] = rest.match(steps) ?? [];
  const layer = nearestName(root, layers);
  if (layer !== undefined && isParams(first.slice(1)) && more.length > 0) return `${layer}.params${more.join("")}`;
  if (root === "context") return ofContext(first.slice(1), more);
  if (isInputs(root) && isParams(first.slice(1)) && more.length > 0)
    return root === "inputs" && first === ".params" ? `${root}${rest}` : `params${more.join("")}`;
  if (isParams(root)) return `params${rest}`;
  if (nearestName(root, ["tasks"]) !== undefined || root.toLowerCase() === "task") return ofTask(root, first, more);
  return ofPlace(root, first, more);
}

function isInputs(word: string): boolean {
  return ["input", "inputs"].includes(word.toLowerCase());
}

function isParams(word: string): boolean {
  return ofParameters.has(word.toLowerCase()) || nearestName(word, ["params"]) !== undefined;
}

function ofContext(name: string, more: readonly string[]): string | undefined {
  if (more.length > 0) return undefined;
  if ((contextParameters as readonly string[]).includes(name)) return `context.params.${name}`;
  return nearestName(name, ["codehost-token"]) === undefined ? undefined : "context.codehost-token";
}

/** Malformed text that begins with `tasks.` or `task.` is already reported as a malformed reference. */
function ofTask(root: string, task: string, [word = "", ...names]: readonly string[]): string | undefined {
  const isResults = names.length > 0 && (word === ".outputs" || nearestName(word.slice(1), ["results"]) !== undefined);
  if (!isResults) return undefined;
  return `${["task", "tasks"].includes(root) ? root : "tasks"}${task}.results${names.join("")}`;
}

/** `$(results.NAME.path)` and `$(workspaces.NAME.path)`. */
function ofPlace(root: string, name: string, more: readonly string[]): string | undefined {
  const place = nearestName(root, ["results", "workspaces"]);
  if (place === undefined || more.length > 1) return undefined;
  const members = place === "workspaces" ? ["path", "bound", "claim", "volume"] : ["path"];
  const member = more.length === 0 ? "path" : nearestName((more[0] as string).slice(1), members);
  return member === undefined ? undefined : `${place}${name}.${member}`;
}

/**
 * Parts of a value's texts, at any depth, that look like references but stay as written; each spelling once, with what is wrong with it.
 */
export function findKept(value: unknown): { text: string; why: string }[] {
  const kept = new Map<string, string>();
  for (const text of textsOf(value)) {
    const found = scanReferences(text);
    if (!text.includes("{{") && isInOrder(text, found)) continue;
    for (const { text: written, meant } of findMisspelt(text))
      kept.set(written, `is not a reference and is left as written; did you mean ${meant}?`);
    for (const { problem, ...at } of found) {
      if (problem !== undefined && "text" in at && !kept.has(at.text)) kept.set(at.text, `is left as written: ${problem}`);
    }
  }
  return [...kept].map(([text, why]) => ({ text, why }));
}
