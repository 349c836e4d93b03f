import type { AppliedDocument, ApplyKind } from "@millrace/contract/apply.ts";
import { AppError } from "../../base/error/app-error.ts";
import type { ShownDocument } from "../../core/apply/diff-documents.ts";
import { envelopesIn } from "../../domain/secret/seal-again.ts";
import { allows } from "../../policy/allows.ts";
import type { Transaction } from "../../store/database/database.ts";
import type { Context, Permission, TeamScope } from "../endpoint.ts";

/** The context in which a document is saved. In a dry run `audit` and `afterCommit` do nothing, and the transaction is rolled back. */
export type ApplyContext = Pick<
  Context<unknown, unknown, unknown, Transaction>,
  "db" | "principal" | "principalUnderLock" | "keyring" | "headers" | "services" | "audit" | "auditNothing" | "afterCommit"
> & { team: TeamScope | null };

/** The outcome of a document. */
export interface SavedDocument extends Pick<AppliedDocument, "workflow" | "id" | "version" | "secret"> {
  name: string;
  before: ShownDocument;
  after: ShownDocument;
  /** Nothing was written, because nothing would have changed. */
  isSame: boolean;
  changesSecrets?: boolean;
  warnings?: readonly string[];
  /** Set if it was not saved: the action that asks for its approval. */
  proposedAs?: string;
  /** Checks that have to wait until all documents of the set are saved. @throws AppError */
  afterSet?: () => Promise<void>;
}

/** @throws PERMISSION_DENIED */
function requirePermission({ principal, team }: Pick<ApplyContext, "principal" | "team">, permission: Permission): void {
  if (allows(principal, permission, team?.id)) return;
  throw new AppError("PERMISSION_DENIED", [`this needs the permission ${permission}${team === null ? "" : ` in team ${team.name}`}`]);
}

/** The context for one document: its audit records name that permission, like those of its own endpoint. */
export function withPermission<C extends ApplyContext>(context: C, permission: Permission): C {
  requirePermission(context, permission);
  return { ...context, audit: (object) => context.audit({ action: permission, ...object }) };
}

/**
 * Whether the caller may read such a document in full. A diff shows stored content, which not everyone who may write it may read.
 * @param teamId of a document of kind Team: its own
 */
export function mayRead({ principal, team }: Pick<ApplyContext, "principal" | "team">, kind: ApplyKind, teamId = team?.id): boolean {
  const permission = team === null ? (readOfInstance[kind] ?? readPermissions[kind]) : readPermissions[kind];
  return allows(principal, permission, teamId);
}

const readPermissions: Readonly<Record<ApplyKind, Permission>> = {
  Team: "team/read",
  Parameter: "team/read",
  StepAction: "task/read",
  Task: "task/read",
  WorkflowTemplate: "signed-in",
  Workflow: "workflow/read",
  Pipeline: "workflow/read",
  PipelineRun: "workflow/read",
  WorkflowTest: "workflow/read",
  Schedule: "schedule/read",
  Subscription: "integration/read",
};
const readOfInstance: Partial<Record<ApplyKind, Permission>> = { Parameter: "parameter/read", StepAction: "signed-in", Task: "signed-in" };

/** The team of a document whose kind exists only in teams. */
export function teamOf({ team }: ApplyContext): TeamScope {
  if (team === null) throw new Error("a document of a team was read for the instance");
  return team;
}

export function changesSecrets(before: unknown, after: unknown): boolean {
  const [were, are] = [new Set(envelopesIn(before)), new Set(envelopesIn(after))];
  return were.size !== are.size || [...were].some((sealed) => !are.has(sealed));
}
