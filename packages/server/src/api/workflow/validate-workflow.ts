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
    "Uses the rules of a save, and returns all problems at once, with their nodes. Without a problem of severity `error` it can be saved.",
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
