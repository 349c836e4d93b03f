import { type Definition, definitionVersions, stepActionDefinition, taskDefinition } from "@millrace/contract/task/task-definition.ts";
import { createUnknownFinder, type UnknownMember } from "@millrace/contract/unknown-members.ts";
import { isMap } from "yaml";
import { AppError, type ErrorDetail } from "../../../base/error/app-error.ts";
import { describeProblem, readYamlDocuments, type YamlDocument, YamlError } from "../../document/yaml-tree.ts";
import { readYamlValue, type YamlValue } from "../../document/yaml-values.ts";
import { refuseForeign } from "../../workflow/foreign-documents.ts";
import { findSchemaFaults } from "./schema-faults.ts";

/** A parsed document that knows the position of each of its parts, for faults that are found later. */
export interface ReadDocument {
  definition: Definition;
  /** Unknown members. */
  unknown: UnknownMember[];
  /** The same details with line and column in front of each message. */
  placed(details: readonly ErrorDetail[]): ErrorDetail[];
  /** The same for details about members, with the positions of their names. */
  placedAtNames(details: readonly ErrorDetail[]): ErrorDetail[];
}

/**
 * Reads one document of kind Task or StepAction from YAML (of which JSON is a subset). Throws TASK_INVALID_DEFINITION with a detail for
 * each fault, whose message begins with `line 12, column 3: `; a document of another product is refused with the name of that product.
 */
export function readTaskDocument(text: string, firstLine = 1): ReadDocument {
  try {
    return readOne(onlyTask(readYamlDocuments(text, firstLine)));
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw invalidDefinition(error.problems.map((problem) => ({ path: "", message: describeProblem(problem) })));
  }
}

/** @param say the text for a single fault; default: its message, which names the place */
export function invalidDefinition(details: ErrorDetail[], say = ({ message }: ErrorDetail): string => message): AppError {
  const [first, ...others] = details;
  const more = others.length > 0 ? ` (and ${others.length} more)` : "";
  return new AppError("TASK_INVALID_DEFINITION", [`${first ? say(first) : "it is empty"}${more}`], { details });
}

function readOne(document: YamlDocument): ReadDocument {
  const isAction = headOf(document).kind === "StepAction";
  const schema = isAction ? stepActionDefinition : taskDefinition;
  const read = readYamlValue(document, schema);
  const placed = (details: readonly ErrorDetail[]) => details.map((detail) => place(read.placeOf, detail));
  const placedAtNames = (details: readonly ErrorDetail[]) => details.map((detail) => place(read.placeOfName, detail));
  const faults = findSchemaFaults(schema, read.value);
  if (faults.length > 0) throw invalidDefinition(placed(faults));
  const unknown = (isAction ? findUnknownOfAction : findUnknown)(read.value);
  return { definition: read.value as Definition, unknown, placed, placedAtNames };
}

const findUnknown = createUnknownFinder(taskDefinition);
const findUnknownOfAction = createUnknownFinder(stepActionDefinition);

function place(placeOf: YamlValue["placeOf"], { path, message }: ErrorDetail): ErrorDetail {
  const name = path === "" ? "" : `${path.slice(1).replaceAll("/", ".")} `;
  return { path, message: describeProblem({ ...placeOf(path), message: name + message }) };
}

/** Files often contain several documents: others than the task are refused by name, never silently dropped. */
function onlyTask(documents: YamlDocument[]): YamlDocument {
  const [document] = documents;
  if (document === undefined)
    throw new YamlError([{ line: 1, column: 1, message: "the text is empty; it must contain a document of kind Task or StepAction" }]);
  const heads = documents.map(headOf);
  if (!isReadable(heads[0]?.kind)) refuseForeign(readYamlValue(document, {}).value, "docs/tasks-yaml.md");
  if (documents.length > 1) {
    const message = `the text contains ${documents.length} documents (${heads.map(({ label }) => label).join(", ")}); send exactly one Task or StepAction`;
    throw new YamlError([{ ...document.place(documents[1]?.root?.range?.[0] ?? 0), message }]);
  }
  refuseOtherKinds(document, heads[0] as Head);
  return document;
}

interface Head {
  kind: unknown;
  apiVersion: unknown;
  label: string;
}

function headOf({ root }: YamlDocument): Head {
  const get = (...path: string[]) => (isMap(root) ? root.getIn(path) : undefined);
  const kind = get("kind");
  const label = [kind ?? "a document without a kind", get("metadata", "name")].filter((part) => typeof part === "string").join(" ");
  return { kind, apiVersion: get("apiVersion"), label };
}

function isReadable(kind: unknown): boolean {
  return kind === "Task" || kind === "StepAction";
}

function refuseOtherKinds(document: YamlDocument, { kind, apiVersion, label }: Head): void {
  const at = document.place(document.root?.range?.[0] ?? 0);
  if (typeof kind === "string" && !isReadable(kind)) {
    const remedy =
      kind === "Pipeline" || kind === "PipelineRun" ? "send it to …/workflow, or to …/workflow/validate to check it" : undefined;
    throw new YamlError([{ ...at, message: `this is a ${label}; ${remedy ?? "only documents of kind Task and StepAction can be read"}` }]);
  }
  if (typeof apiVersion === "string" && !(definitionVersions as readonly string[]).includes(apiVersion)) {
    throw new YamlError([
      { ...at, message: `apiVersion ${apiVersion} cannot be read; it must be one of ${definitionVersions.join(", ")}` },
    ]);
  }
}
