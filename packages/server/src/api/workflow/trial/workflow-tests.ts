import { ref } from "@millrace/contract/schema.ts";
import {
  listedWorkflowTest,
  type WorkflowTestInput,
  workflowTest,
  workflowTestReport,
  workflowTestRequest,
} from "@millrace/contract/workflow/workflow-test.ts";
import Type from "typebox";
import { AppError } from "../../../base/error/app-error.ts";
import { withoutHead } from "../../../core/apply/own-document.ts";
import { createValidator, misleadingNames } from "../../../core/document/validator.ts";
import { invalidYaml, readYamlBody } from "../../../core/document/yaml-body.ts";
import { readWorkflow } from "../../../domain/workflow/read-workflow.ts";
import { loadSaveContext } from "../../../domain/workflow/save-context.ts";
import { deleteTest, requireTest, saveTest } from "../../../domain/workflow/tests/saved-tests.ts";
import { testWorkflow } from "../../../domain/workflow/tests/test-workflow.ts";
import { listTestOutcomes } from "../../../store/workflow/workflow-tests.ts";
import { defineEndpoint } from "../../endpoint.ts";
import { presentDraftRequest } from "../../present-body.ts";
import { teamParameter } from "../../request-parameters.ts";
import { readDraft } from "../read-draft.ts";
import { withPlaces } from "../read-workflow-body.ts";
import { workflowBodyLimit, workflowPath } from "../workflow.view.ts";
import { viewListed, viewTest } from "./test.view.ts";

const path = "/api/v2/team/:team/workflow/:workflow/test";
const testPath = Type.Object({
  team: teamParameter,
  workflow: Type.String({ description: "Name or ID of the workflow" }),
  test: Type.String({ description: "Name of the test" }),
});
const shared = { tag: "Workflow tests" } as const;

export const listWorkflowTests = defineEndpoint({
  ...shared,
  method: "GET",
  path,
  summary: "List the tests of a workflow",
  description: "Each with how it ended last: when the workflow was saved, or the test was.",
  permission: "workflow/read",
  transaction: "read",
  params: workflowPath,
  response: Type.Object({ requireTests: Type.Boolean(), tests: Type.Array(ref(listedWorkflowTest)) }),
  async handle({ db, team, params }) {
    const { workflow } = await readWorkflow(db, team.id, params.workflow);
    const rows = await listTestOutcomes(db, team.id, workflow.id);
    return { requireTests: workflow.requiresTests, tests: rows.map(viewListed) };
  },
});

export const getWorkflowTest = defineEndpoint({
  ...shared,
  method: "GET",
  path: `${path}/:test`,
  summary: "Get a test of a workflow",
  permission: "workflow/read",
  transaction: "read",
  params: testPath,
  response: ref(workflowTest),
  async handle({ db, team, params }) {
    const { workflow } = await readWorkflow(db, team.id, params.workflow);
    return viewTest(workflow.name, await requireTest(db, team.id, workflow, params.test));
  },
});

export const saveWorkflowTest = defineEndpoint({
  ...shared,
  method: "PUT",
  path: `${path}/:test`,
  summary: "Create a test of a workflow, or change it",
  description:
    "docs/workflow-tests.md describes the document. It is saved whether it passes or not; the response to GET of the list says how it ended " +
    "with the latest version of the workflow.",
  permission: "workflow/write",
  transaction: "write",
  params: testPath,
  consumes: ["application/json", "application/x-yaml"],
  // Its YAML is the same document, and is read as such.
  readsYaml: () => false,
  documentKinds: ["WorkflowTest"],
  body: ref(workflowTest),
  response: ref(workflowTest),
  async handle({ db, team, params, body, principal, keyring, services, audit, auditNothing }) {
    if (body.name.trim() !== params.test) throw otherName("name", body.name, params.test);
    const context = await loadSaveContext(db, team.id, principal.name, keyring, services.runs);
    const { workflow, before, test, isSame } = await saveTest(db, services.runs, context, params.workflow, body);
    const view = viewTest(workflow.name, test);
    if (isSame) auditNothing();
    else
      audit({
        kind: "workflowtest",
        id: test.id,
        name: `${workflow.name}/${test.name}`,
        ...(before && { before: viewTest(workflow.name, before) }),
        after: view,
      });
    return view;
  },
});

function otherName(member: string, given: string, wanted: string): AppError {
  const message = `is ${JSON.stringify(given.slice(0, 200))}, but the address names ${wanted.slice(0, 200)}; to rename a test, create it with the new name and delete this one`;
  return new AppError("VALIDATION_FAILED", [`body /${member} ${message}`], { details: [{ path: `/${member}`, message }] });
}

export const deleteWorkflowTest = defineEndpoint({
  ...shared,
  method: "DELETE",
  path: `${path}/:test`,
  summary: "Delete a test of a workflow",
  permission: "workflow/write",
  transaction: "write",
  params: testPath,
  response: null,
  async handle({ db, team, params, audit }) {
    const { workflow, test } = await deleteTest(db, team.id, params.workflow, params.test);
    audit({ kind: "workflowtest", id: test.id, name: `${workflow.name}/${test.name}`, before: viewTest(workflow.name, test) });
  },
});

export const runWorkflowTests = defineEndpoint({
  ...shared,
  method: "POST",
  path: `${path}/run`,
  summary: "Run tests of a workflow",
  description:
    "Runs the stored tests, or those in the request, with what is saved or with a draft, which need not exist yet. Nothing runs for real and " +
    "nothing is stored: tasks end as their mocks say, by a clock that jumps. Parameters of the team and the instance, and secrets, have placeholders.",
  permission: "workflow/read",
  transaction: "read",
  isNoChange: true,
  bodyLimit: workflowBodyLimit,
  params: workflowPath,
  body: workflowTestRequest,
  presentBody: presentDraftRequest,
  response: workflowTestReport,
  async handle({ db, team, params, body, headers, principal, keyring, services }) {
    const draft = readDraft(body, headers);
    if (body.tests != null && body.testDocument != null)
      throw new AppError("VALIDATION_FAILED", ["body /testDocument is a second test; give tests or testDocument, not both"]);
    const tests = body.testDocument == null ? (body.tests ?? undefined) : [readTestDocument(body.testDocument)];
    const context = await loadSaveContext(db, team.id, principal.name, keyring, services.runs);
    const request = {
      ...{ workflow: params.workflow, draft: draft?.input, version: body.version ?? undefined, tests, names: body.names ?? undefined },
    };
    return withPlaces(draft ?? { locate: (details) => [...details] }, () => testWorkflow(db, services.runs, context, request));
  },
});

const validator = createValidator(workflowTest);

/** A test as YAML. @throws VALIDATION_FAILED with lines */
function readTestDocument(text: string): WorkflowTestInput {
  const { value, placed } = readYamlBody(text, workflowTest);
  const { body, faults: head } = withoutHead(value, ["WorkflowTest"]);
  const faults = [...head, ...validator.faults(body), ...misleadingNames(body)];
  if (faults.length > 0) throw invalidYaml(placed(faults));
  return body as WorkflowTestInput;
}
