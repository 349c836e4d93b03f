import {
  type AppliedDocument,
  type ApplyKind,
  type ApplyResult,
  applyLimits,
  applyRequest,
  applyResult,
} from "@millrace/contract/apply.ts";
import { ref } from "@millrace/contract/schema.ts";
import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import type { EventBus } from "../../base/process/event-bus.ts";
import { allows } from "../../policy/allows.ts";
import { mayCreateTeam } from "../../policy/teams.ts";
import type { Transaction } from "../../store/database/database.ts";
import { tryLockApply } from "../../store/team/teams.ts";
import { type Context, defineEndpoint, type Principal, type TeamScope } from "../endpoint.ts";
import { teamPath, toLabelFilter } from "../request-parameters.ts";
import { workflowBodyLimit } from "../workflow/workflow.view.ts";
import { ApplyPlaces, tryAgain } from "./apply-places.ts";
import { applySet } from "./apply-set.ts";
import { readSet } from "./read-set.ts";

const dryRun = Type.Boolean({ default: false, description: "Do the same work, answer what would change, and undo it" });

const prune = Type.Optional(
  Type.String({
    maxLength: 2000,
    pattern: "^[^=]+=",
    description:
      "key=value: delete the workflows, schedules and tasks of the team that have this label and are not in the set. Needs the permission to delete each",
    examples: ["managed-by=deploy"],
  }),
);

const both = {
  method: "POST",
  tag: "Apply",
  permission: "signed-in",
  transaction: "write",
  changesRights: true,
  bodyLimit: workflowBodyLimit,
  consumes: ["application/json", "application/x-yaml"],
  readsYaml: () => true,
  body: applyRequest,
  response: ref(applyResult),
} as const;

const rules =
  `Up to ${applyLimits.documents} documents, in any order, in one transaction: all are applied, or none. A document that changes nothing makes no ` +
  "new version. Each needs the permission of its own endpoint. A dry run is answered with all changes and all problems; otherwise problems are a 400.";

export const applyToTeam = defineEndpoint({
  ...both,
  path: "/api/v2/team/:team/apply",
  summary: "Apply a set of documents to a team",
  description: `Tasks, StepActions, workflows, their tests, pipelines, schedules, subscriptions and parameters of the team. ${rules}`,
  params: teamPath,
  query: Type.Object({ dryRun, prune }),
  handle: (context) => apply(context, context.team, context.query),
});

export const applyToInstance = defineEndpoint({
  ...both,
  path: "/api/v2/apply",
  summary: "Apply a set of documents to the instance",
  description: `Teams, global tasks and StepActions, workflow templates, global parameters and subscriptions of the instance. ${rules}`,
  query: Type.Object({ dryRun }),
  handle: (context) => apply(context, null, context.query),
});

type Request = Context<unknown, unknown, unknown, Transaction>;

const places = new ApplyPlaces();

async function apply(request: Request, team: TeamScope | null, query: { dryRun: boolean; prune?: string }): Promise<ApplyResult> {
  const { principal } = request;
  requireAnyWrite(principal, team);
  return places.within(principal.userId ?? principal.teamId ?? principal.id, async () => {
    // Done first: reading a long set takes seconds, in which each request occupies a connection to the database.
    if (!(await tryLockApply(request.db, team?.id ?? null))) throw tryAgain("Another set of documents is");
    const set = await readSet(request, team === null ? "instance" : "team");
    const prune = query.prune === undefined ? undefined : toLabelFilter([query.prune]);
    const result = await applySet({ ...request, team }, set, { isDryRun: query.dryRun, prune });
    const changed = result.documents.filter(({ action }) => action !== "unchanged");
    if (query.dryRun || changed.length === 0) request.auditNothing();
    else request.afterCommit(() => notifyWatchers(request.services.bus, team, changed));
    return query.dryRun ? { ...result, documents: result.documents.map(withoutNew) } : result;
  });
}

const teamWrites = ["workflow/write", "task/write", "schedule/write", "team/write", "integration/write"] as const;

const instanceWrites = ["task/write", "parameter/write", "workflowtemplate/write", "integration/write"] as const;

/** A long set is not read, and others don't have to wait, if the caller can't save anything of it. */
function requireAnyWrite(principal: Principal, team: TeamScope | null): void {
  if (team === null) return requireAnyWriteOfInstance(principal);
  if (teamWrites.some((permission) => allows(principal, permission, team.id))) return;
  throw new AppError("PERMISSION_DENIED", [`this needs one of the permissions ${teamWrites.join(", ")} in team ${team.name}`]);
}

/** People can create teams, and change their own. */
function requireAnyWriteOfInstance(principal: Principal): void {
  if (mayCreateTeam(principal) || instanceWrites.some((permission) => allows(principal, permission))) return;
  if ([...principal.teams.keys()].some((teamId) => allows(principal, "team/write", teamId))) return;
  throw new AppError("PERMISSION_DENIED", [`this needs team/write in a team, or for all teams one of ${instanceWrites.join(", ")}`]);
}

/** What was created in a dry run doesn't exist. */
function withoutNew(document: AppliedDocument): AppliedDocument {
  const { id: _undone, secret: _unused, ...rest } = document;
  if (document.action === "created") return rest;
  const { actionRef: _neither, ...proposed } = document;
  return proposed;
}

const kindsOfHints: Readonly<Record<ApplyKind, string>> = {
  Team: "team",
  Parameter: "parameter",
  StepAction: "task",
  Task: "task",
  WorkflowTemplate: "workflowtemplate",
  Workflow: "workflow",
  Pipeline: "workflow",
  PipelineRun: "workflow",
  WorkflowTest: "workflow",
  Schedule: "schedule",
  Subscription: "subscription",
};

/** As after the endpoint of each kind (http/serve-endpoint.ts). A parameter of a team counts as a change of the team. */
function notifyWatchers(bus: EventBus, team: TeamScope | null, changed: readonly AppliedDocument[]): void {
  const hints = changed.map(({ kind }) => (team !== null && kind === "Parameter" ? "team" : kindsOfHints[kind]));
  for (const hint of new Set(hints)) bus.wake("teams", `${team?.id ?? "instance"} ${hint}`);
}
