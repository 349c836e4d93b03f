import { ref } from "@millrace/contract/schema.ts";
import { workflow } from "@millrace/contract/workflow.ts";
import { workflowProblem } from "@millrace/contract/workflow-problem.ts";
import Type from "typebox";
import { findProblems } from "../../domain/workflow/find-problems.ts";
import { loadSaveContext } from "../../domain/workflow/save-context.ts";
import { defineEndpoint } from "../endpoint.ts";
import { presentWorkflow } from "../present-body.ts";
import { teamPath } from "../team-path.ts";
import { workflowBodyLimit } from "./workflow-path.ts";

export const validateWorkflow = defineEndpoint({
  method: "POST",
  path: "/api/v2/team/:team/workflow/validate",
  summary: "Check a workflow without saving it",
  description:
    "The rules are those of a save, and all that is wrong is told at once, each with its node where it has one. Without an entry of severity `error` it could be saved.",
  tag: "Workflows",
  permission: "workflow/read",
  transaction: "none",
  bodyLimit: workflowBodyLimit,
  params: teamPath,
  body: ref(workflow),
  presentBody: presentWorkflow,
  response: Type.Array(ref(workflowProblem)),
  async handle({ db, team, body, principal, keyring, services }) {
    return findProblems(db, await loadSaveContext(db, team.id, principal.name, keyring, services.runs), body);
  },
});
