import { type ApplyKind, applyKinds, ownApiVersion } from "@millrace/contract/apply.ts";
import type { ErrorDetail } from "../../base/error/app-error.ts";

/** What a set of documents is applied to. */
export type ApplyScope = "team" | "instance";

/** The kind of a document, and whose format it has: that of Millrace or that of Tekton. */
export interface DocumentKind {
  kind: ApplyKind;
  isTekton: boolean;
}

/** Members of a document that determine its kind. */
export interface DocumentHead {
  apiVersion?: unknown;
  kind?: unknown;
  /** Its name, in the format of Tekton or of Millrace. */
  name?: unknown;
  /** Names of all its members. */
  members: readonly string[];
}

const tektonKinds: readonly ApplyKind[] = ["Task", "StepAction", "Pipeline", "PipelineRun"];
const places: Readonly<Record<ApplyKind, readonly ApplyScope[]>> = {
  Team: ["instance"],
  Parameter: ["team", "instance"],
  StepAction: ["team", "instance"],
  Task: ["team", "instance"],
  WorkflowTemplate: ["instance"],
  Workflow: ["team"],
  Pipeline: ["team"],
  PipelineRun: ["team"],
  WorkflowTest: ["team"],
  Schedule: ["team"],
  Subscription: ["team", "instance"],
};

function kindsOf(scope: ApplyScope): ApplyKind[] {
  return applyKinds.filter((kind) => places[kind].includes(scope));
}

/** The kind of the document, or why it can't be determined. */
export function decideKind(head: DocumentHead, scope: ApplyScope): DocumentKind | ErrorDetail {
  const kind = head.kind ?? impliedKind(head, scope);
  const known = applyKinds.find((one) => one === kind);
  if (known === undefined) return unknownKind(head, scope);
  if (!places[known].includes(scope)) {
    const remedy = scope === "team" ? "belongs to the instance; apply it without a team" : "belongs to a team; apply it to one";
    return { path: "/kind", message: `is ${known}, which ${remedy}` };
  }
  const decided = decideVersion(head, known);
  return "isTekton" in decided && !decided.isTekton && isNested(head) ? { path: "/metadata", message: nestedHint(known) } : decided;
}

/** Whether it has the structure of a Kubernetes document, with `metadata` and `spec`. */
function isNested({ members }: DocumentHead): boolean {
  return members.includes("metadata") && !members.includes("name");
}

function nestedHint(kind: ApplyKind): string {
  return `has no name here: the members of a ${kind} are at the top of the document, as in "name: …", not in metadata and spec`;
}

/** Exported workflows have no kind. */
function impliedKind({ apiVersion, members }: DocumentHead, scope: ApplyScope): ApplyKind | undefined {
  const isOwn = apiVersion === undefined || apiVersion === ownApiVersion;
  return scope === "team" && isOwn && members.includes("tasks") ? "Workflow" : undefined;
}

function unknownKind({ apiVersion, kind }: DocumentHead, scope: ApplyScope): ErrorDetail {
  const given = kind === undefined || kind === null ? "is missing" : `is ${JSON.stringify(kind).slice(0, 80)}`;
  const version = typeof apiVersion === "string" && kind !== undefined ? ` (apiVersion ${apiVersion.slice(0, 80)})` : "";
  return { path: "/kind", message: `${given}${version}; it must be one of ${kindsOf(scope).join(", ")}` };
}

function decideVersion({ apiVersion, members }: DocumentHead, kind: ApplyKind): DocumentKind | ErrorDetail {
  const isForTekton = tektonKinds.includes(kind);
  if (typeof apiVersion === "string" && apiVersion.startsWith("tekton.dev/") && isForTekton) return { kind, isTekton: true };
  const isOwn = kind !== "Pipeline" && kind !== "PipelineRun";
  if (apiVersion === ownApiVersion && isOwn) return { kind, isTekton: false };
  // As at the endpoint for tasks, a Tekton document may leave out apiVersion.
  if (apiVersion === undefined) return { kind, isTekton: isForTekton && (!isOwn || members.includes("metadata")) };
  const valid = [...(isOwn ? [ownApiVersion] : []), ...(isForTekton ? ["tekton.dev/v1"] : [])];
  return { path: "/apiVersion", message: `is ${JSON.stringify(apiVersion).slice(0, 80)}; for a ${kind} it must be ${valid.join(" or ")}` };
}
