import { unescapePointer } from "@millrace/contract/json-pointer.ts";
import { isNode, parseDocument, stringify } from "yaml";
import { t } from "../texts/forms.ts";
import { readYamlValue, type TextFault } from "./yaml-value.ts";

/** Members that the service sets; in a text they would be noise, or look editable. */
const computed = ["id", "version", "creationDate", "changelog", "upgradesAvailable"];

/** A workflow as readable text, without what the service computes. */
export function workflowYaml(workflow: Readonly<Record<string, unknown>>): string {
  const document = withoutComputed(workflow);
  const tasks = Array.isArray(document.tasks) ? { tasks: document.tasks.map(withoutEmpty) } : {};
  return stringify({ ...withoutEmpty(document), ...tasks }, { lineWidth: 0 });
}

/** Empty lists and maps mean the same as absent ones. */
function withoutEmpty(thing: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(thing).filter(([, value]) => !(typeof value === "object" && (value === null || Object.keys(value).length === 0))),
  );
}

/** The members that the author wrote; those without a value are omitted. */
export function withoutComputed(workflow: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept = Object.entries(workflow).filter(([key, value]) => !computed.includes(key) && value !== null && value !== undefined);
  const document = Object.fromEntries(kept);
  if (!Array.isArray(document.tasks)) return document;
  return { ...document, tasks: document.tasks.map(({ upgradesAvailable: _, ...task }: Record<string, unknown>) => task) };
}

/** Parses a YAML or JSON text, or returns where it can't be parsed. Several YAML documents in one text are an error. */
export function readWorkflowText(text: string): { document?: Record<string, unknown>; faults: TextFault[] } {
  const { value: document, faults } = readYamlValue(text);
  if (faults.length > 0) return { faults };
  if (typeof document !== "object" || document === null || Array.isArray(document))
    return { faults: [{ message: t("workflowText.notWorkflowMustObject"), from: 0, to: text.length }] };
  return { document: document as Record<string, unknown>, faults: [] };
}

/**
 * The text of a Tekton Pipeline or PipelineRun, which the service reads itself; undefined: it is none.
 * @param name replaces the name in the document; empty: keeps it
 */
export function pipelineText(document: Readonly<Record<string, unknown>>, text: string, name: string): string | undefined {
  const { apiVersion, kind } = document;
  const isPipeline =
    typeof apiVersion === "string" && apiVersion.startsWith("tekton.dev/") && (kind === "Pipeline" || kind === "PipelineRun");
  if (!isPipeline) return undefined;
  if (name === "") return text;
  const parsed = parseDocument(text);
  parsed.setIn(["metadata", "name"], name);
  return parsed.toString({ lineWidth: 0 });
}

/** The positions in the text of the places that the service rejected; a missing place is shown at its nearest parent. */
export function placesInText(text: string, errors: readonly { path: string; message: string }[]): TextFault[] {
  const parsed = parseDocument(text);
  return errors.map(({ path, message }) => {
    const steps = path.split("/").slice(1).map(unescaped);
    for (let length = steps.length; length > 0; length--) {
      const node = parsed.getIn(steps.slice(0, length), true);
      if (isNode(node) && node.range) return { message, from: node.range[0], to: node.range[1] };
    }
    return { message, from: 0, to: Math.min(1, text.length) };
  });
}

/** One segment of a JSON pointer. */
function unescaped(step: string): string | number {
  return /^\d+$/.test(step) ? Number(step) : unescapePointer(step);
}
