import type { components } from "@millrace/client/schema.generated.ts";
import { queryOptions } from "@tanstack/react-query";
import { api, call } from "../../client.ts";

export type WorkflowTest = components["schemas"]["WorkflowTest"];
export type ListedTest = components["schemas"]["ListedWorkflowTest"];
export type TestReport = components["schemas"]["WorkflowTestReport"];
export type TestResult = components["schemas"]["WorkflowTestResult"];

const at = "/api/v2/team/{team}/workflow/{workflow}/test";

/** All tests of a workflow, each with its last result. */
export const workflowTestsQuery = (team: string, workflow: string) =>
  queryOptions({
    queryKey: ["workflow", team, workflow, "tests"],
    queryFn: () => call(api.GET(at, { params: { path: { team, workflow } } })),
  });

export const workflowTestQuery = (team: string, workflow: string, test: string) =>
  queryOptions({
    queryKey: ["workflow", team, workflow, "tests", test],
    queryFn: () => call(api.GET(`${at}/{test}`, { params: { path: { team, workflow, test } } })),
  });

/** The JSON Schema of a test, for completion. */
export const testSchemaQuery = queryOptions({
  queryKey: ["schema", "workflow-test"],
  queryFn: () => call(api.GET("/api/v2/schema/{document}", { params: { path: { document: "workflow-test" } } })),
  staleTime: Number.POSITIVE_INFINITY,
});

export const saveTest = (team: string, workflow: string, document: WorkflowTest) =>
  call(api.PUT(`${at}/{test}`, { params: { path: { team, workflow, test: document.name } }, body: document }));

export const deleteTest = (team: string, workflow: string, test: string) =>
  call(api.DELETE(`${at}/{test}`, { params: { path: { team, workflow, test } } }));

/** Stores nothing. */
export const runTests = (team: string, workflow: string, body: components["schemas"]["WorkflowTestRequest"]) =>
  call(api.POST(`${at}/run`, { params: { path: { team, workflow } }, body }));

/** Stores it as a test of the run's workflow. */
export const makeTestOfRun = (team: string, runId: string) =>
  call(api.POST("/api/v2/team/{team}/workflowrun/{runId}/test", { params: { path: { team, runId } }, body: {} }));
