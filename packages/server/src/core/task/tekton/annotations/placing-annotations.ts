import { escapePointer } from "@millrace/contract/json-pointer.ts";
import type { ErrorDetail } from "../../../../base/error/app-error.ts";
import { isLabel } from "../../../../base/text/label.ts";
import { externalExecutor } from "../../external-task.ts";
import { taskNetworks } from "../../opt-in.ts";
import { executorKinds } from "../runnable.ts";
import { annotationPrefix } from "./service-annotations.ts";

/**
 * Annotations of a task, or of its use in a workflow, that say where it runs. They are plain text: references to parameters are not
 * resolved in them.
 */
const checks = {
  executor: (value) => oneOf([...executorKinds, externalExecutor], value),
  network: (value) => oneOf(taskNetworks, value),
  "runs-on": (value) =>
    readLabels(value) ? undefined : "it must be labels of workers with commas or blanks between them, such as linux, gpu",
  "node-selector": (value) =>
    readNodeSelector(value) ? undefined : "it must be labels of cluster nodes with commas between them, such as disk=ssd, pool=big",
} satisfies Record<string, (value: unknown) => string | undefined>;

export type PlacingAnnotation = keyof typeof checks;

const placingAnnotations = Object.keys(checks) as PlacingAnnotation[];

/** Problems with the annotations. @param path of the annotations in the document */
export function placingFaults(annotations: Readonly<Record<string, unknown>>, path: string): ErrorDetail[] {
  return placingAnnotations.flatMap((name) => {
    const value = annotations[annotationPrefix + name];
    const fault = value == null ? undefined : placingFault(name, value);
    return fault === undefined ? [] : [{ path: `${path}/${escapePointer(annotationPrefix + name)}`, message: fault }];
  });
}

/** What is wrong with the value, as the end of a sentence about the annotation. */
export function placingFault(name: PlacingAnnotation, value: unknown): string | undefined {
  const wanted = checks[name](value);
  return wanted && `is ${JSON.stringify(value)}; ${wanted}`;
}

function oneOf(words: readonly string[], value: unknown): string | undefined {
  return words.includes(value as string) ? undefined : `it must be one of ${words.join(", ")}`;
}

/** Each label once, in order. Undefined if a worker could not have one of them. */
export function readLabels(value: unknown): string[] | undefined {
  if (typeof value !== "string") return undefined;
  const labels = [...new Set(value.split(/[\s,]+/).filter((word) => word !== ""))];
  return labels.length <= 20 && labels.every(isLabel) ? labels : undefined;
}

/** Labels of nodes in the syntax of Kubernetes: a name with an optional domain in front, and a value that may be empty. */
export function readNodeSelector(value: unknown): Record<string, string> | undefined {
  if (typeof value !== "string") return undefined;
  const pairs = value.split(",").map((pair) => pair.trim());
  const found = pairs.filter((pair) => pair !== "").map((pair) => labelPair.exec(pair));
  if (found.length > 20 || found.some((match) => match === null)) return undefined;
  return Object.fromEntries(found.map((match) => [match?.[1] as string, match?.[2] as string]));
}

const labelPair =
  /^((?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?\/)?[A-Za-z0-9](?:[\w.-]{0,61}[A-Za-z0-9])?)\s*=\s*((?:[A-Za-z0-9](?:[\w.-]{0,61}[A-Za-z0-9])?)?)$/;
