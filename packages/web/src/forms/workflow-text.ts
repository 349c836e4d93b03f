import { isNode, parseDocument, stringify } from "yaml";
import { t } from "../texts/forms.ts";
import { readYamlValue, type TextFault } from "./yaml-value.ts";

/** What the service sets; in a text it would only be noise, or be taken for something that can be changed. */
const computed = ["id", "version", "creationDate", "changelog", "upgradesAvailable"];

/** A workflow as text for people, without what the service computes. */
export function workflowYaml(workflow: Readonly<Record<string, unknown>>): string {
  const document = withoutComputed(workflow);
  const tasks = Array.isArray(document.tasks) ? { tasks: document.tasks.map(withoutEmpty) } : {};
  return stringify({ ...withoutEmpty(document), ...tasks }, { lineWidth: 0 });
}

/** Lists and maps that are as good as absent. */
function withoutEmpty(thing: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(thing).filter(([, value]) => !(typeof value === "object" && (value === null || Object.keys(value).length === 0))),
  );
}

/** The members that somebody wrote; those without a value say nothing. */
export function withoutComputed(workflow: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept = Object.entries(workflow).filter(([key, value]) => !computed.includes(key) && value !== null && value !== undefined);
  const document = Object.fromEntries(kept);
  if (!Array.isArray(document.tasks)) return document;
  return { ...document, tasks: document.tasks.map(({ upgradesAvailable: _, ...task }: Record<string, unknown>) => task) };
}

/** The document in a text of YAML or JSON, or where it can't be read. Several YAML documents in one text are a fault. */
export function readWorkflowText(text: string): { document?: Record<string, unknown>; faults: TextFault[] } {
  const { value: document, faults } = readYamlValue(text);
  if (faults.length > 0) return { faults };
  if (typeof document !== "object" || document === null || Array.isArray(document))
    return { faults: [{ message: t("workflowText.notWorkflowMustObject"), from: 0, to: text.length }] };
  return { document: document as Record<string, unknown>, faults: [] };
}

/**
 * The text of a Tekton Pipeline or PipelineRun, which the service reads itself; undefined: it is none.
 * @param name over that of the document; empty: its own
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

/** Where in the text the places are that the service refused; a place that is not there is at its nearest parent. */
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

/** One step of a JSON pointer. */
function unescaped(step: string): string | number {
  return /^\d+$/.test(step) ? Number(step) : step.replaceAll("~1", "/").replaceAll("~0", "~");
}
