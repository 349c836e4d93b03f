import { ownApiVersion } from "@millrace/contract/apply.ts";
import { createUnknownFinder, type UnknownMember } from "@millrace/contract/unknown-members.ts";
import {
  type PipelineDefinition,
  type PipelineRunDefinition,
  pipelineDefinition,
  pipelineRunDefinition,
} from "@millrace/contract/workflow/pipeline-definition.ts";
import { isMap } from "yaml";
import type { ErrorDetail } from "../../../base/error/app-error.ts";
import { invalidYaml, placeDetail, refuseNames } from "../../document/yaml-body.ts";
import { describeProblem, readYamlDocuments, type YamlDocument, YamlError } from "../../document/yaml-tree.ts";
import { readYamlValue } from "../../document/yaml-values.ts";
import { findSchemaFaults } from "../../task/tekton/schema-faults.ts";
import { refuseForeign } from "../foreign-documents.ts";

/** A Pipeline or PipelineRun with a valid structure, and the position of each of its parts. */
export interface PipelineDocument {
  definition: PipelineDefinition | PipelineRunDefinition;
  /** Members that are known neither to Tekton nor here. */
  unknown: UnknownMember[];
  /** The same details with line and column in front of each message. */
  placed(details: readonly ErrorDetail[]): ErrorDetail[];
}

const kinds = {
  Pipeline: { schema: pipelineDefinition, findUnknown: createUnknownFinder(pipelineDefinition) },
  PipelineRun: { schema: pipelineRunDefinition, findUnknown: createUnknownFinder(pipelineRunDefinition) },
} as const;

/**
 * Reads one Pipeline or PipelineRun from YAML.
 * @throws VALIDATION_FAILED with a detail for each fault, whose message begins with `line 12, column 3: `; WORKFLOW_FOREIGN_DOCUMENT for a
 * document of another product
 */
export function readPipelineDocument(text: string, firstLine = 1): PipelineDocument {
  try {
    return readOne(readYamlDocuments(text, firstLine));
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw invalidYaml(error.problems.map((problem) => ({ path: "", message: describeProblem(problem) })));
  }
}

function readOne(documents: YamlDocument[]): PipelineDocument {
  const { document, kind } = onlyPipeline(documents);
  const { schema, findUnknown } = kinds[kind];
  const read = readYamlValue(document, schema);
  const placed = (details: readonly ErrorDetail[]) => details.map((detail) => placeDetail(read.placeOf, detail));
  const faults = [...refuseNames(read.value, ""), ...findSchemaFaults(schema, read.value)];
  if (faults.length > 0) throw invalidYaml(placed(faults));
  return { definition: read.value as PipelineDocument["definition"], unknown: findUnknown(read.value), placed };
}

/** Tekton files often contain several documents: others than the pipeline are refused by name, never silently dropped. */
function onlyPipeline(documents: YamlDocument[]): { document: YamlDocument; kind: keyof typeof kinds } {
  const [document] = documents;
  if (document === undefined)
    throw new YamlError([{ line: 1, column: 1, message: "the text is empty; it must contain a Pipeline or PipelineRun" }]);
  const labels = documents.map(labelOf);
  if (documents.length > 1) {
    const remedy = "send exactly one Pipeline or PipelineRun, and save each Task first with POST /api/v2/team/{team}/task";
    const message = `the text contains ${documents.length} documents (${labels.slice(0, 10).join(", ")}); ${remedy}`;
    throw new YamlError([{ ...document.place(documents[1]?.root?.range?.[0] ?? 0), message }]);
  }
  const kind = memberOf(document, "kind");
  if (kind === "Pipeline" || kind === "PipelineRun") return { document, kind };
  refuseForeign(readYamlValue(document, {}).value, "docs/tekton-pipelines.md");
  throw new YamlError([{ ...document.place(document.root?.range?.[0] ?? 0), message: `this is ${labels[0]}; ${otherKind(kind)}` }]);
}

function otherKind(kind: unknown): string {
  if (kind === "Task") return "send it to POST /api/v2/team/{team}/task";
  return `a document with a kind must be a Pipeline or PipelineRun; a workflow document of Millrace has the apiVersion ${ownApiVersion}, or neither kind nor apiVersion`;
}

function labelOf(document: YamlDocument): string {
  const parts = [memberOf(document, "kind") ?? "a document without a kind", memberOf(document, "metadata", "name")];
  return parts.flatMap((part) => (typeof part === "string" ? [part.slice(0, 100)] : [])).join(" ");
}

function memberOf({ root }: YamlDocument, ...path: string[]): unknown {
  return isMap(root) ? root.getIn(path) : undefined;
}
