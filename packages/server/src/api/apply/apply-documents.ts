import { applyLimits, applyRequest, applyResult } from "@millrace/contract/apply.ts";
import { ref } from "@millrace/contract/schema.ts";
import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import { defineEndpoint } from "../endpoint.ts";
import { teamPath } from "../request-parameters.ts";
import { workflowBodyLimit } from "../workflow/workflow.view.ts";

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
  description: `Tasks, StepActions, workflows, pipelines, schedules, subscriptions and parameters of the team. ${rules}`,
  params: teamPath,
  query: Type.Object({ dryRun, prune }),
  async handle() {
    throw new AppError("CONFLICT", ["not yet"]);
  },
});

export const applyToInstance = defineEndpoint({
  ...both,
  path: "/api/v2/apply",
  summary: "Apply a set of documents to the instance",
  description: `Teams, global tasks and StepActions, workflow templates, global parameters and subscriptions of the instance. ${rules}`,
  query: Type.Object({ dryRun }),
  async handle() {
    throw new AppError("CONFLICT", ["not yet"]);
  },
});
