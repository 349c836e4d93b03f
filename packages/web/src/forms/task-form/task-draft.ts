import { isMap, isSeq } from "yaml";
import type { Param } from "../parameter-form.tsx";
import { annotationPath, olderPrefix, prefix } from "./annotation-path.ts";
import { readParams } from "./task-params.ts";
import { countAt, nodeAt, pairsAt, textAt, textsAt, type YamlDocument, type YamlPath } from "./yaml-edit.ts";

/** What the form shows of a task-definition document. What it does not know stays in the text. */
export interface TaskDraft {
  name: string;
  type: string;
  displayName: string;
  description: string;
  category: string;
  icon: string;
  executor: string;
  network: string;
  runsOn: string;
  params: Param[];
  results: { name: string; description: string }[];
  steps: StepDraft[];
  /** Beside those that have a field of their own. */
  annotations: [string, string][];
}

export interface StepDraft {
  name: string;
  image: string;
  script: string;
  command: string[];
  args: string[];
  env: { name: string; value: string }[];
  workingDir: string;
  timeout: string;
  onError: string;
  cpu: string;
  memory: string;
}

const known = [
  "displayName",
  "category",
  "icon",
  "type",
  "status",
  "version",
  "verified",
  "params",
  "executor",
  "network",
  "runs-on",
  "document",
];

export function readDraft(document: YamlDocument): TaskDraft {
  const annotation = (name: string) => textAt(document, annotationPath(document, name));
  return {
    name: textAt(document, ["metadata", "name"]),
    type: annotation("type") || "template",
    displayName: annotation("displayName"),
    description: textAt(document, ["spec", "description"]),
    category: annotation("category"),
    icon: annotation("icon"),
    executor: annotation("executor"),
    network: annotation("network"),
    runsOn: annotation("runs-on"),
    params: readParams(document),
    results: list(document, ["spec", "results"], (path) => ({
      name: textAt(document, [...path, "name"]),
      description: textAt(document, [...path, "description"]),
    })),
    steps: list(document, ["spec", "steps"], (path) => readStep(document, path)),
    annotations: otherAnnotations(document),
  };
}

function list<Item>(document: YamlDocument, path: YamlPath, read: (path: YamlPath) => Item): Item[] {
  return Array.from({ length: countAt(document, path) }, (_, index) => read([...path, index]));
}

function readStep(document: YamlDocument, path: YamlPath): StepDraft {
  const text = (member: string) => textAt(document, [...path, member]);
  const limits = [...path, resourcesMember(document, path), "limits"];
  return {
    name: text("name"),
    image: text("image"),
    script: text("script"),
    command: textsAt(document, [...path, "command"]),
    args: textsAt(document, [...path, "args"]),
    env: list(document, [...path, "env"], (entry) => ({
      name: textAt(document, [...entry, "name"]),
      value: textAt(document, [...entry, "value"]),
    })),
    workingDir: text("workingDir"),
    timeout: text("timeout"),
    onError: text("onError"),
    cpu: textAt(document, [...limits, "cpu"]),
    memory: textAt(document, [...limits, "memory"]),
  };
}

/** Its name in older documents is another. */
export function resourcesMember(document: YamlDocument, step: YamlPath): string {
  return document.hasIn([...step, "resources"]) ? "resources" : "computeResources";
}

function otherAnnotations(document: YamlDocument): [string, string][] {
  const path = ["metadata", "annotations"];
  return pairsAt(document, path).filter(([key]) => {
    const node = nodeAt(document, [...path, key]);
    const isOwn = [prefix, olderPrefix].some((start) => key.startsWith(start) && known.includes(key.slice(start.length)));
    return !isOwn && !isMap(node) && !isSeq(node);
  });
}

/** The tasks that the engine does itself have no steps. */
export function hasSteps(type: string): boolean {
  return ["template", "custom", "generic", "script"].includes(type);
}
