import { type WorkflowInput, workflow } from "@millrace/contract/workflow/workflow.ts";
import { AppError } from "../../base/error/app-error.ts";
import { withoutHead } from "../../core/apply/own-document.ts";
import { createValidator, misleadingNames } from "../../core/document/validator.ts";
import { invalidYaml, readYamlBody } from "../../core/document/yaml-body.ts";
import type { SourceRun } from "../../domain/workflow/trial/trial-values.ts";
import { allows } from "../../policy/allows.ts";
import type { Queryable } from "../../store/database/database.ts";
import type { Principal, TeamScope } from "../endpoint.ts";
import { presentDraft } from "../present-body.ts";
import { getRunRow } from "../run/load-run.ts";
import { hasForeignKind, readWorkflowBody, type WorkflowBody } from "./read-workflow-body.ts";

/** The part of a request that describes a workflow as its author has it on the screen. */

interface DraftRequest {
  draft?: WorkflowInput;
  draftDocument?: string | null;
  version?: number | null;
}

type Draft = Pick<WorkflowBody, "input" | "locate">;

/**
 * The draft in a request; undefined if it has none.
 * @throws VALIDATION_FAILED, WORKFLOW_FOREIGN_DOCUMENT
 */
export function readDraft(
  { draft, draftDocument, version }: DraftRequest,
  headers: Readonly<Record<string, string | undefined>>,
): Draft | undefined {
  if (draft === undefined && draftDocument == null) return undefined;
  if (draft !== undefined && draftDocument != null)
    throw invalid("/draftDocument", "is a second draft; give draft or draftDocument, not both");
  if (version != null) throw invalid("/version", "names a saved version, but a draft was given too; leave one of them out");
  if (draftDocument == null) return { input: draft as WorkflowInput, locate: (details) => [...details] };
  return hasForeignKind(draftDocument) ? readPipeline(draftDocument, headers) : readOwn(draftDocument);
}

function readPipeline(text: string, headers: Readonly<Record<string, string | undefined>>): Draft {
  const read = readWorkflowBody({ body: undefined, rawBody: text, mediaType: "application/x-yaml", headers });
  if (read.embedded.length > 0)
    throw invalid("/draftDocument", `has ${read.embedded.length} taskSpec, which become tasks of the team when it is saved; save it first`);
  return read;
}

const validator = createValidator(workflow);

function readOwn(text: string): Draft {
  const { value, placed } = readYamlBody(text, workflow);
  const own = withoutHead(value, ["Workflow"]);
  const body = presentDraft(own.body);
  const faults = [...own.faults, ...validator.faults(body), ...misleadingNames(body)];
  if (faults.length > 0) throw invalidYaml(placed(faults));
  return { input: body as WorkflowInput, locate: placed };
}

/**
 * The run from which values are taken; undefined if none is named.
 * @throws PERMISSION_DENIED, WORKFLOWRUN_INVALID_REFERENCE
 */
export async function readSourceRun(
  db: Queryable,
  { id: teamId, name }: TeamScope,
  runId: string | null | undefined,
  principal: Principal,
): Promise<SourceRun | undefined> {
  if (runId == null || runId === "") return undefined;
  if (!allows(principal, "workflowrun/read", teamId))
    throw new AppError("PERMISSION_DENIED", [`taking values from a run needs the permission workflowrun/read in team ${name}`]);
  return getRunRow(db, teamId, runId, principal);
}

function invalid(path: string, message: string): AppError {
  return new AppError("VALIDATION_FAILED", [`body ${path} ${message}`], { details: [{ path, message }] });
}
