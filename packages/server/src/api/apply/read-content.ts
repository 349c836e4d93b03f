import type { AbstractParam } from "@millrace/contract/common.ts";
import { type SubscriptionInput, subscriptionInput } from "@millrace/contract/outbound/subscription.ts";
import { type AbstractParamRequest, abstractParamRequest } from "@millrace/contract/parameter.ts";
import { type ScheduleInput, workflowSchedule } from "@millrace/contract/schedule.ts";
import { ref } from "@millrace/contract/schema.ts";
import { task } from "@millrace/contract/task/task.ts";
import { type TeamRequest, teamRequest } from "@millrace/contract/team/team.ts";
import { createUnknownFinder, type FindUnknown } from "@millrace/contract/unknown-members.ts";
import { type WorkflowInput, workflow } from "@millrace/contract/workflow/workflow.ts";
import { type WorkflowTemplateInput, workflowTemplate } from "@millrace/contract/workflow/workflow-template.ts";
import { type WorkflowTestInput, workflowTest } from "@millrace/contract/workflow/workflow-test.ts";
import type { TSchema } from "typebox";
import { AppError, type ErrorDetail } from "../../base/error/app-error.ts";
import { isStrict, strictFault } from "../../base/text/nearest-name.ts";
import type { DocumentHead, DocumentKind } from "../../core/apply/apply-kind.ts";
import { documentKey } from "../../core/apply/apply-order.ts";
import { membersOf } from "../../core/apply/own-document.ts";
import { createValidator, misleadingNames, refuseLargeObjects, type Validator } from "../../core/document/validator.ts";
import { refuseNames } from "../../core/document/yaml-body.ts";
import type { YamlPart } from "../../core/document/yaml-stream.ts";
import { type YamlDocument, YamlError, yamlLimits } from "../../core/document/yaml-tree.ts";
import { readYamlValue } from "../../core/document/yaml-values.ts";
import { readParameter } from "../../core/parameter/parameters-check.ts";
import type { TaskContent } from "../../core/task/tekton/task-content.ts";
import { comparedTexts } from "../../core/workflow/workflow-document-triggers.ts";
import type { WrittenTask } from "../../domain/task/prepare-task.ts";
import { presentTask, presentTeam, presentWorkflow } from "../present-body.ts";
import { readTaskBody } from "../task/read-task-body.ts";
import { readWorkflowBody, type WorkflowBody } from "../workflow/read-workflow-body.ts";
import type { DocumentPlace } from "./apply-problems.ts";

/** A document as it was sent: a value of JSON, or a part of a YAML stream. */
export interface WrittenDocument {
  index: number;
  head: DocumentHead;
  headers: Readonly<Record<string, string | undefined>>;
  value?: unknown;
  yaml?: { document: YamlDocument; part: YamlPart; isAlone: boolean };
}

/** What is to be saved, by the forms that are stored. */
type Written =
  | { form: "workflow"; written: WorkflowBody }
  | { form: "task"; written: () => WrittenTask }
  | { form: "template"; input: WorkflowTemplateInput }
  | { form: "test"; input: WorkflowTestInput }
  | { form: "schedule"; input: ScheduleInput }
  | { form: "parameter"; input: AbstractParam; teams: AbstractParamRequest["teams"] }
  | { form: "subscription"; input: SubscriptionInput }
  | { form: "team"; input: TeamRequest };

export type Content = Written & {
  name: string;
  key: string;
  needs: string[];
  warnings: string[];
  placeOf?: DocumentPlace["placeOf"];
};

/** A document that has a kind but can't be read as such. */
export class ContentError extends Error {
  readonly fault: AppError;
  /** Maps details about its value to places in the text. */
  readonly placeOf: DocumentPlace["placeOf"];

  constructor(fault: AppError, placeOf?: DocumentPlace["placeOf"]) {
    super(fault.message, { cause: fault });
    this.fault = fault;
    this.placeOf = placeOf;
  }
}

/** @throws ContentError */
export function readContent(document: WrittenDocument, kind: DocumentKind): Content {
  try {
    checkLength(document, kind);
    return kind.isTekton ? readTekton(document, kind) : readOwn(document, kind);
  } catch (error) {
    if (error instanceof AppError) throw new ContentError(error);
    throw error;
  }
}

/** Their own endpoints accept longer JSON bodies than those of others. */
const longKinds: readonly DocumentKind["kind"][] = ["Workflow", "WorkflowTemplate"];

/** Applying a set must not get around the size limit of a single request. Readers of YAML have this limit already. */
function checkLength({ value, yaml }: WrittenDocument, { kind }: DocumentKind): void {
  const { characters } = yamlLimits;
  if (yaml !== undefined || longKinds.includes(kind) || JSON.stringify(value).length <= characters) return;
  throw refusal([{ path: "", message: `the document has more than ${characters} characters` }]);
}

/** Read by the reader of Tekton documents. JSON is valid YAML for it. */
function readTekton({ headers, value, yaml }: WrittenDocument, { kind }: DocumentKind): Content {
  if (yaml?.isAlone === false) throw refusal([{ path: "", message: "begins in the text of another document; begin it with a line ---" }]);
  const rawBody = yaml?.part.text ?? JSON.stringify(value);
  const body = { body: undefined, rawBody, mediaType: "application/x-yaml", headers, firstLine: yaml?.part.firstLine ?? 1 };
  if (kind === "Pipeline" || kind === "PipelineRun") {
    const written = readWorkflowBody(body);
    const { name } = written.input;
    return { form: "workflow", written, name, key: documentKey(kind, name), needs: needsOfWorkflow(written.input), warnings: [] };
  }
  return taskContent(kind, readTaskBody({ ...body, isText: yaml !== undefined }));
}

function taskContent(kind: DocumentKind["kind"], written: () => WrittenTask): Content {
  const { content } = written();
  return { form: "task", written, name: content.name, key: documentKey(kind, content.name), needs: needsOfTask(content), warnings: [] };
}

type OwnKind =
  | "Workflow"
  | "WorkflowTest"
  | "WorkflowTemplate"
  | "Task"
  | "StepAction"
  | "Schedule"
  | "Parameter"
  | "Subscription"
  | "Team";

interface OwnForm {
  schema: TSchema;
  present?(body: unknown): unknown;
  validator: Validator;
  findUnknown: FindUnknown;
}

/** The schema of each kind is that of its own endpoint. */
const ownForms: Readonly<Record<OwnKind, OwnForm>> = {
  Workflow: ownForm(ref(workflow), presentWorkflow),
  WorkflowTemplate: ownForm(ref(workflowTemplate), presentWorkflow),
  WorkflowTest: ownForm(ref(workflowTest)),
  Task: ownForm(ref(task), presentTask),
  StepAction: ownForm(ref(task), presentTask),
  Schedule: ownForm(ref(workflowSchedule)),
  Parameter: ownForm(abstractParamRequest),
  Subscription: ownForm(ref(subscriptionInput)),
  Team: ownForm(teamRequest, presentTeam),
};

function ownForm(schema: TSchema, present?: OwnForm["present"]): OwnForm {
  return { schema, ...(present && { present }), validator: createValidator(schema), findUnknown: createUnknownFinder(schema) };
}

function readOwn(document: WrittenDocument, kind: DocumentKind): Content {
  const ownKind = kind.kind as OwnKind;
  const { schema, present, validator, findUnknown } = ownForms[ownKind];
  const { value, placeOf } = readValue(document, schema);
  try {
    refuseLargeObjects(value);
    const { apiVersion: _version, kind: _kind, ...members } = value;
    const own = membersOf(ownKind, members);
    const body = present?.(own) ?? own;
    const unknown = findUnknown(body);
    const faults = [...refuseNames(body, ""), ...validator.faults(body), ...misleadingNames(body)];
    if (isStrict(document.headers["prefer"])) faults.push(...unknown.map(strictFault));
    if (faults.length > 0) throw refusal(faults);
    const warnings = unknown.filter(({ isKept }) => !isKept).map(({ path }) => `${path} is unknown here and has no effect`);
    return { ...contentOf(ownKind, body as never), warnings: warnings.slice(0, 20), ...(placeOf && { placeOf }) };
  } catch (error) {
    if (error instanceof AppError) throw new ContentError(error, placeOf);
    throw error;
  }
}

function readValue(
  { value, yaml }: WrittenDocument,
  schema: TSchema,
): { value: Record<string, unknown>; placeOf?: DocumentPlace["placeOf"] } {
  if (yaml === undefined) return { value: value as Record<string, unknown> };
  try {
    const read = readYamlValue(yaml.document, schema, true);
    return { value: read.value as Record<string, unknown>, placeOf: read.placeOf };
  } catch (error) {
    if (error instanceof YamlError) throw yamlFault(error);
    throw error;
  }
}

/** With the place of each fault in the form that readers of documents use. */
export function yamlFault(error: YamlError): AppError {
  return refusal(
    error.problems.map(({ line, column, message }) => {
      return { path: "", message: line > 0 ? `line ${line}, column ${column}: ${message}` : message };
    }),
  );
}

function refusal(details: ErrorDetail[]): AppError {
  return new AppError("VALIDATION_FAILED", [details[0]?.message ?? ""], { details });
}

function contentOf(kind: OwnKind, body: never): Omit<Content, "warnings" | "placeOf"> & Written {
  switch (kind) {
    case "Workflow":
      return workflowContent(body);
    case "WorkflowTemplate": {
      const input: WorkflowTemplateInput = body;
      return { form: "template", input, name: input.name, key: documentKey(kind, input.name), needs: needsOfWorkflow(input) };
    }
    case "Task":
    case "StepAction": {
      return taskContent(kind, readTaskBody({ body, rawBody: "", mediaType: "application/json", headers: {} }));
    }
    case "WorkflowTest":
      return testContent(body);
    case "Schedule":
      return scheduleContent(body);
    case "Parameter": {
      const input = readParameter(body);
      return { form: "parameter", input, teams: (body as AbstractParamRequest).teams, ...named(kind, input.name) };
    }
    case "Subscription":
      return { form: "subscription", input: body, ...named(kind, (body as SubscriptionInput).name) };
    case "Team":
      return { form: "team", input: body, ...named(kind, (body as TeamRequest).name) };
  }
}

function workflowContent(input: WorkflowInput): Omit<Content, "warnings" | "placeOf"> & Written {
  const asIs = (details: readonly ErrorDetail[]) => [...details];
  const written: WorkflowBody = { input, embedded: [], notes: [], locate: asIs, place: asIs };
  return { form: "workflow", written, name: input.name, key: documentKey("Workflow", input.name), needs: needsOfWorkflow(input) };
}

function testContent(input: WorkflowTestInput): Omit<Content, "warnings" | "placeOf"> & Written {
  const ref = input.workflow?.trim();
  if (!ref) throw refusal([{ path: "/workflow", message: "is missing; give the name or ID of a workflow of the team" }]);
  const needed = documentKey("Workflow", ref);
  const name = input.name.trim();
  return { form: "test", input, name, key: `${documentKey("WorkflowTest", name)} of ${needed}`, needs: [needed] };
}

/** Its name is that of its workflow by default. */
function scheduleContent(input: ScheduleInput): Omit<Content, "warnings" | "placeOf"> & Written {
  const ref = input.workflowRef?.trim();
  if (!ref) throw refusal([{ path: "/workflowRef", message: "is missing; give the name or ID of a workflow of the team" }]);
  const needed = documentKey("Workflow", ref);
  const name = input.name?.trim() || ref;
  return { form: "schedule", input, name, key: `${documentKey("Schedule", name)} of ${needed}`, needs: [needed] };
}

function named(kind: OwnKind, given: string | null | undefined): Pick<Content, "name" | "key" | "needs"> {
  const name = given?.trim() ?? "";
  if (name === "") throw refusal([{ path: "/name", message: "is missing" }]);
  return { name, key: documentKey(kind, name), needs: [] };
}

/**
 * Keys of the documents that a workflow or a template refers to, in case they are in its set: its tasks, and the workflows that it runs or
 * follows.
 */
function needsOfWorkflow({ tasks, triggers }: Pick<WorkflowInput, "tasks" | "triggers">): string[] {
  const uses = (tasks ?? []).flatMap(({ taskRef }) => (taskRef ? [documentKey("Task", taskRef)] : []));
  const runs = (tasks ?? []).flatMap(({ params }) =>
    (params ?? []).flatMap(({ name, value }) =>
      name === "workflowRef" && typeof value === "string" ? [documentKey("Workflow", value)] : [],
    ),
  );
  const follows = (triggers?.workflow?.conditions ?? []).flatMap((condition) =>
    condition.field === "workflows" ? comparedTexts(condition).map(({ text }) => documentKey("Workflow", text)) : [],
  );
  return [...new Set([...uses, ...runs, ...follows])];
}

/** The StepActions of its steps. */
function needsOfTask({ spec }: Pick<TaskContent, "spec">): string[] {
  const names = (spec.steps ?? []).flatMap(({ ref }) => (typeof ref?.name === "string" ? [documentKey("StepAction", ref.name)] : []));
  return [...new Set(names)];
}
