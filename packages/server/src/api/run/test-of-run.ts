import { ref } from "@millrace/contract/schema.ts";
import { testOfRunRequest, workflowTest } from "@millrace/contract/workflow/workflow-test.ts";
import { AppError } from "../../base/error/app-error.ts";
import { loadSaveContext } from "../../domain/workflow/save-context.ts";
import { makeTest } from "../../domain/workflow/tests/make-test.ts";
import { saveTest } from "../../domain/workflow/tests/saved-tests.ts";
import { allows } from "../../policy/allows.ts";
import { defineEndpoint } from "../endpoint.ts";
import { viewTest } from "../workflow/trial/test.view.ts";
import { getRunRow, runPath } from "./load-run.ts";

export const makeTestOfRun = defineEndpoint({
  method: "POST",
  path: "/api/v2/team/:team/workflowrun/:runId/test",
  summary: "Make a test of a finished run",
  description:
    "Its parameters are given, the results of its tasks are mocks, decisions and events from outside happen when they did; secrets are masked. " +
    "Stored as a test of the workflow, which needs workflow/write as well, unless `dryRun` is true. 409 for a run that is open, or whose values are " +
    "too large.",
  tag: "Workflow tests",
  permission: "workflowrun/read",
  transaction: "write",
  keepsToWorkflow: true,
  params: runPath,
  body: testOfRunRequest,
  response: ref(workflowTest),
  async handle({ db, team, params, body, principal, keyring, services, audit, auditNothing }) {
    const row = await getRunRow(db, team.id, params.runId, principal);
    if (body.dryRun !== true && !allows(principal, "workflow/write", team.id))
      throw new AppError("PERMISSION_DENIED", [
        `storing a test needs the permission workflow/write in team ${team.name}; set dryRun to read it only`,
      ]);
    const context = await loadSaveContext(db, team.id, principal.name, keyring, services.runs);
    const made = await makeTest(db, services.runs, context, row, body.name?.trim());
    if (body.dryRun === true) {
      auditNothing();
      return { ...made, workflow: row.workflowName };
    }
    const { workflow, before, test, isSame } = await saveTest(db, services.runs, context, row.workflowId, made);
    const view = viewTest(workflow.name, test);
    if (isSame) auditNothing();
    else
      audit({
        kind: "workflowtest",
        id: test.id,
        name: `${workflow.name}/${test.name}`,
        ...(before && { before: viewTest(workflow.name, before) }),
        after: { ...view, madeOf: row.id },
      });
    return view;
  },
});
