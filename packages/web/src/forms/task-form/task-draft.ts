import { stepActionType } from "@millrace/contract/status.ts";
import { useMemo, useRef, useState } from "react";
import { isMap, isSeq } from "yaml";
import { t } from "../../texts/task/task-form.ts";
import type { Param } from "../parameter-form.tsx";
import { readParams } from "./task-params.ts";
import {
  annotationPath,
  countAt,
  nodeAt,
  olderPrefix,
  pairsAt,
  prefix,
  readYaml,
  textAt,
  textsAt,
  type YamlDocument,
  type YamlFault,
  type YamlPath,
} from "./yaml-edit.ts";

export interface TaskDraftState {
  /** The single source: the document as text. */
  text: string;
  setText: (text: string) => void;
  /** Applies a change from the form; does nothing while the text can't be parsed. */
  edit: (change: (text: string) => string) => void;
  /** From the last text that could be parsed. */
  draft: TaskDraft;
  /** Why the text can't be parsed. */
  fault: YamlFault | undefined;
}

/** A task document that can be edited as text and as a form at the same time. */
export function useTaskDraft(initial: string): TaskDraftState {
  const [text, setText] = useState(initial);
  const read = useMemo(() => readYaml(text), [text]);
  const last = useRef<TaskDraft>(emptyDraft);
  const draft = useMemo(() => {
    if ("document" in read) last.current = readDraft(read.document);
    return last.current;
  }, [read]);
  const fault = "fault" in read ? read.fault : undefined;
  const edit = (change: (text: string) => string) => {
    if (fault === undefined) setText(change);
  };
  return { text, setText, edit, draft, fault };
}

const emptyDraft: TaskDraft = {
  ...{ name: "", type: "template", displayName: "", description: "", category: "", icon: "", executor: "", network: "", runsOn: "" },
  ...{ params: [], results: [], steps: [], annotations: [] },
};

/** The labels of the task types; those with steps first. Start and end belong to workflows only. */
const words: Readonly<Record<string, string>> = {
  template: t("taskTypeWords.wordTemplate"),
  script: t("taskTypeWords.wordScript"),
  generic: t("taskTypeWords.wordGeneric"),
  custom: t("taskTypeWords.wordCustom"),
  approval: t("taskTypeWords.wordApproval"),
  manual: t("taskTypeWords.wordManual"),
  decision: t("taskTypeWords.wordDecision"),
  eventwait: t("taskTypeWords.wordEventwait"),
  sleep: t("taskTypeWords.wordSleep"),
  acquirelock: t("taskTypeWords.wordAcquirelock"),
  releaselock: t("taskTypeWords.wordReleaselock"),
  runworkflow: t("taskTypeWords.wordRunworkflow"),
  runscheduledworkflow: t("taskTypeWords.wordRunscheduledworkflow"),
  setwfproperty: t("taskTypeWords.wordSetwfproperty"),
  setwfstatus: t("taskTypeWords.wordSetwfstatus"),
};

export function taskTypeWord(type: string): string {
  if (type === stepActionType) return t("taskTypeWords.wordStepaction");
  return words[type]?.split(":")[0] ?? type;
}

/** @param present added as a choice if it is none of these */
export function taskTypeChoices(present: string): { value: string; label: string }[] {
  const choices = Object.entries(words).map(([value, label]) => ({ value, label }));
  return present in words ? choices : [...choices, { value: present, label: taskTypeWord(present) }];
}

/** The part of a task definition that the form shows. Anything else is kept in the text. */
interface TaskDraft {
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
  /** Without those that have a field of their own. */
  annotations: [string, string][];
}

export interface StepDraft {
  name: string;
  /** The StepAction that it runs, instead of its own program. */
  stepAction: string;
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
    type: textAt(document, ["kind"]) === "StepAction" ? stepActionType : annotation("type") || "template",
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
    stepAction: textAt(document, [...path, "ref", "name"]),
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

/** In older documents the member has another name. */
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

/** Tasks that the engine performs itself have no steps. */
export function hasSteps(type: string): boolean {
  return ["template", "custom", "generic", "script"].includes(type);
}

/** A message of the service about one place of the document. */
interface PlacedFault {
  path: string;
  message: string;
}

/**
 * The message for that path and everything below it, to show at its field. The message names the path; since it is shown at the field, the
 * path is removed.
 */
export function faultAt(faults: readonly PlacedFault[], ...path: (string | number)[]): string | undefined {
  const place = `/${path.join("/")}`;
  const fault = faults.find((one) => one.path === place || one.path.startsWith(`${place}/`));
  if (fault === undefined) return undefined;
  const words = fault.message.startsWith(`${path.join(".")} `) ? fault.message.slice(path.join(".").length + 1) : fault.message;
  return words;
}

/** The number of messages below the places. */
export function countFaults(faults: readonly PlacedFault[], ...places: string[]): number {
  return faults.filter(({ path }) => places.some((place) => path === place || path.startsWith(`${place}/`))).length;
}

/** The properties of each part of the form. */
export interface TaskPartProps {
  draft: TaskDraft;
  edit: (change: (text: string) => string) => void;
  faults: readonly PlacedFault[];
  isReadOnly: boolean;
}

/** The properties of the fields of one step. */
export interface StepFieldsProps extends Omit<TaskPartProps, "draft"> {
  step: StepDraft;
  index: number;
}
