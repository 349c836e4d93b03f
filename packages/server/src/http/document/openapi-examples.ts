import { namedSchemas } from "@millrace/contract/schema.ts";
import type { TSchema } from "typebox";

/**
 * An example for each schema that a request or response of the API document names. All are about the same team, the hawks, so that they fit
 * together. Schemas with examples of their own are not listed here.
 */

const ids = {
  team: "0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e",
  user: "0198c1de-7d60-7a51-9f22-0c4e6e1f7a10",
  task: "0198c1de-7d66-7b0c-8d31-5a9d7c3e2b21",
  workflow: "0198c1de-7d6b-7d44-b2c3-1f0a8e5d4c32",
  version: "0198c1de-7d6c-7aa1-9c57-3e2d1b0f9e43",
  run: "0198c1de-7d71-7e12-8a68-7c5b4d3e2f54",
  taskRun: "0198c1de-7d72-7f83-a479-9d8e7f6a5b65",
  action: "0198c1de-7d78-7c09-b58a-2b1c0d9e8f76",
  schedule: "0198c1de-7d7e-7d1b-96ab-4a3b2c1d0e87",
  token: "0198c1de-7d84-7e2c-87bc-6c5d4e3f2a98",
} as const;

const madeAt = "2026-03-01T12:00:00.000Z";
const laterAt = "2026-03-01T12:00:04.200Z";
const change = { author: "Ada", reason: "Says hello in Norwegian", date: madeAt };

const node = { name: "say hello", taskRef: "greet", params: [{ name: "who", value: "$(params.name)" }] };
const workflow = {
  name: "welcome",
  displayName: "Welcome",
  labels: { stage: "test" },
  params: [{ name: "name", type: "text", default: "world" }],
  tasks: [
    node,
    { name: "ask", type: "approval", taskRef: "manual-approval", dependencies: [{ taskRef: "say hello", executionCondition: "success" }] },
  ],
};
const runView = {
  ...{ id: ids.token, name: "Failed today", scope: "team", filter: { statuses: ["failed"], since: "24h" }, order: "DESC" },
  ...{ createdByName: "Ada", creationDate: madeAt, mayChange: true, isDefault: false },
};
const graph = {
  nodes: [
    { id: "start", type: "start", position: { x: 0, y: 0 }, data: { name: "start" } },
    { id: "hello", type: "template", position: { x: 320, y: 0 }, data: node },
    { id: "end", type: "end", position: { x: 640, y: 0 }, data: { name: "end" } },
  ],
  edges: [
    { id: "1", source: "start", target: "hello", type: "start", data: { executionCondition: "always" } },
    { id: "2", source: "hello", target: "end", type: "template", data: { executionCondition: "always" } },
  ],
};

const member = { id: ids.user, email: "owner@example.com", name: "Ada", role: "owner" };
const quotas = {
  maxWorkflowCount: 25,
  maxWorkflowRunMonthly: 300,
  maxWorkflowStorage: 2,
  maxWorkflowRunStorage: 2,
  maxWorkflowRunDuration: 120,
  maxConcurrentRuns: 4,
  maxWaitingRuns: 100_000,
};
const usage = {
  currentWorkflowCount: 1,
  currentRuns: 17,
  currentConcurrentRuns: 1,
  currentWaitingRuns: 2,
  currentRunTotalDuration: 9,
  currentRunMedianDuration: 1,
  monthlyResetDate: "2026-04-01T00:00:00.000Z",
};

const runRefs = { workflowRef: ids.workflow, workflowName: "welcome", workflowRevisionRef: ids.version };
const shared = { labels: { stage: "test" }, annotations: {}, workspaces: [], creationDate: madeAt, startTime: madeAt, status: "succeeded" };
const taskRun = {
  ...shared,
  ...runRefs,
  id: ids.taskRun,
  type: "template",
  name: "say hello",
  duration: 4200,
  params: [{ name: "who", value: "Ada" }],
  results: [{ name: "greeting", value: "hello Ada" }],
  phase: "completed",
  attempt: 1,
  taskRef: ids.task,
  taskName: "greet",
  taskVersion: 1,
  workflowRunRef: ids.run,
};

const examples: Readonly<Record<string, object>> = {
  Team: {
    id: ids.team,
    name: "hawks",
    displayName: "The Hawks",
    creationDate: madeAt,
    status: "active",
    externalRef: null,
    labels: { stage: "test" },
    parameters: [{ name: "region", type: "text", value: "north" }],
    quotas: { ...quotas, ...usage },
    members: [member],
    memberCount: 1,
    workflows: [],
    approverGroups: [{ id: ids.token, name: "leads", creationDate: madeAt, approvers: [member] }],
    allowHostNetwork: false,
    allowPrivileged: false,
    retention: { logs: 7 },
    retentionInForce: { runs: 180, logs: 7, deliveries: 30 },
  },
  TeamMember: { email: "owner@example.com", role: "owner" },
  Role: { id: "reader", type: "team", name: "reader", description: "Can read everything in the team", permissions: ["**/read"] },
  AbstractParam: { name: "region", label: "Region", type: "text", required: true, value: "north" },
  Workflow: workflow,
  WorkflowCanvas: { name: "welcome", displayName: "Welcome", config: workflow.params, ...graph },
  ChangeLogVersion: { ...change, version: 2 },
  Task: {
    name: "greet",
    displayName: "Greet",
    description: "Says hello",
    type: "template",
    spec: { params: [{ name: "who", type: "text", required: true }], script: 'echo "hello $PARAM_WHO"' },
  },
  TaskDefinition: {
    apiVersion: "tekton.dev/v1",
    kind: "Task",
    metadata: { name: "greet" },
    spec: { params: [{ name: "who", type: "string" }], steps: [{ name: "greet", script: 'echo "hello $PARAM_WHO"' }] },
  },
  WorkflowRun: {
    ...shared,
    ...runRefs,
    id: ids.run,
    duration: 4200,
    phase: "completed",
    timeout: 120,
    retries: 0,
    debug: false,
    awaitingApproval: false,
    warningCount: 0,
    workflowDisplayName: "Welcome",
    workflowVersion: 1,
    trigger: "manual",
    initiatedByRef: ids.user,
    initiatedByType: "user",
    initiatedByName: "Ada",
    params: [{ name: "name", value: "Ada" }],
    results: [],
    tasks: [taskRun],
  },
  WorkflowRunRequest: { labels: { stage: "test" }, params: [{ name: "name", value: "Ada" }] },
  WorkflowRunCount: {
    status: {
      ...{ all: 17, notstarted: 0, ready: 1, running: 1, waiting: 0, succeeded: 13 },
      ...{ failed: 1, invalid: 0, skipped: 0, cancelled: 1, timedout: 0 },
    },
  },
  TaskRun: taskRun,
  TaskRunLogSearch: { ranges: [{ first: 120, last: 122 }], lines: 3, steps: ["greet"], searchedTo: 5000, next: 5001 },
  TaskRunLog: { lines: [{ time: madeAt, step: "greet", text: "hello Ada" }], next: "1.1" },
  Action: {
    id: ids.action,
    taskRunRef: ids.taskRun,
    taskName: "ask",
    workflowRunRef: ids.run,
    workflowRef: ids.workflow,
    workflowName: "welcome",
    workflowDisplayName: "Welcome",
    teamName: "hawks",
    type: "approval",
    status: "submitted",
    title: "Greet Ada",
    instructions: "Does it sound friendly?",
    fields: [],
    fieldCount: 0,
    links: [],
    creationDate: madeAt,
    deadline: null,
    reminder: null,
    reminderDate: null,
    delegatorRefs: [],
    delegateRefs: [],
    actioners: [],
    numberOfApprovers: 1,
    numberOfApprovals: 0,
    approvalsRequired: 1,
    approverGroupRef: null,
    approverGroupName: null,
    approverRefs: null,
    reminderCount: 0,
    escalateAfter: null,
    escalateToRef: null,
    escalateToName: null,
    escalationDate: null,
    escalated: false,
    requesterMayNotApprove: false,
  },
  ActionRequest: { id: ids.action, approved: true, comments: "Yes" },
  ActionCommentRequest: { comments: "Which customers does it reach?" },
  ActionDelegationRequest: { user: "ada@example.com", comments: "You know this release better" },
  BulkOperation: {
    ...{ id: ids.schedule, action: "rerun", filter: { statuses: ["failed"] }, status: "running", creationDate: madeAt },
    ...{ createdByRef: ids.user, createdByName: "Ada", total: 1204, done: 310, failed: 2, left: 892 },
  },
  BulkRerun: { from: ["say hello"], version: "latest" },
  BulkPlanRequest: { filter: { statuses: ["failed"] }, rerun: { version: "latest" } },
  BulkPlan: {
    ...{ total: 1204, looked: 100, willRun: 97, nothing: 1, refused: 2, unmapped: 0 },
    ...{ tasks: { reused: 291, failed: 97, downstream: 97 }, messages: ["The run request is invalid: version 4 has no task"] },
  },
  MarkPlanRequest: { task: "say hello" },
  DeclaredResult: { name: "greeting", type: "string" },
  RerunPlanTask: { task: "say hello", type: "script", decision: "again", why: "failed", text: "It ended as failed" },
  RerunUnmapped: { task: "wave", why: "removed", text: "This version has no such task; its results are not used" },
  RerunPlan: {
    ...{ digest: "3f2a", workflowRunRef: ids.run, runVersion: 3, version: 4, latestVersion: 4, reused: 0, again: 1, unmapped: [] },
    tasks: [{ task: "say hello", type: "script", decision: "again", why: "failed", text: "It ended as failed" }],
  },
  RunOrigin: { workflowRunRef: ids.run, version: 3, reused: 2 },
  TaskRunOrigin: { how: "reused", workflowRunRef: ids.run, taskRunRef: ids.taskRun },
  RunRerun: { workflowRunRef: ids.action, version: 4, status: "succeeded", phase: "completed", reused: 2, creationDate: laterAt },
  BulkRun: { workflowRunRef: ids.run, outcome: "done", newWorkflowRunRef: ids.action, date: laterAt },
  RunComment: { id: ids.token, text: "The supplier's API was down", creationDate: laterAt, createdByRef: ids.user, createdByName: "Ada" },
  RunView: runView,
  RunViews: { views: [runView] },
  RunLogSearch: {
    matches: [{ taskRunRef: ids.taskRun, taskName: "say hello", step: "greet", line: 3, date: laterAt, text: "error: no such name" }],
    ...{ searchedTasks: 2, next: null },
  },
  ActionSummary: { approvalsRate: 75, manual: 1, approvals: 2 },
  Token: {
    ...{ id: ids.token, type: "team", name: "pipeline", description: null, creationDate: madeAt, expirationDate: null, lastUsedDate: null },
    valid: true,
    principal: ids.team,
    permissions: [{ scope: "team", principal: ids.team, actions: ["workflow/read", "workflow/action"] }],
  },
  ScheduleFiring: { scheduledDate: madeAt, date: laterAt, outcome: "submitted", count: 1, workflowRunRef: ids.run },
  RunFollowUp: { workflowRef: ids.workflow, workflowName: "welcome", outcome: "submitted", workflowRunRef: ids.run, date: laterAt },
  TokenCreateResponse: { id: ids.token, type: "team", token: "mrt_SHOWN_ONCE", expirationDate: null },
};

/** A task definition as YAML text. */
export const taskDocument = `apiVersion: tekton.dev/v1
kind: Task
metadata:
  name: greet
spec:
  params:
    - name: who
      type: string
  steps:
    - name: greet
      script: echo "hello $PARAM_WHO"
`;

/** A workflow as YAML text. */
export const pipelineDocument = `apiVersion: tekton.dev/v1
kind: Pipeline
metadata:
  name: greet-twice
spec:
  tasks:
    - name: first
      taskRef:
        name: greet
    - name: second
      runAfter: [first]
      taskRef:
        name: greet
`;

/** The `examples` of a named schema: its own, otherwise those of this page. The example of a page of a list contains one item. */
export function examplesOf(name: string, schema: TSchema): unknown[] {
  const { examples: own, properties } = schema as ExemplarySchema;
  const item = properties?.content?.items?.$ref;
  const inner = item === undefined ? undefined : namedSchemas().get(item);
  if (item !== undefined && inner !== undefined) return examplesOf(item, inner).slice(0, 1).map(pageOf);
  return own ?? (examples[name] === undefined ? [] : [examples[name]]);
}

interface ExemplarySchema {
  examples?: unknown[];
  properties?: { content?: { items?: { $ref?: string } } };
}

function pageOf(item: unknown): object {
  const sort = { sorted: true, unsorted: false, empty: false };
  return {
    content: [item],
    ...{ number: 0, size: 10, numberOfElements: 1, totalElements: 1, totalPages: 1, first: true, last: true, empty: false, sort },
    pageable: { pageNumber: 0, pageSize: 10, offset: 0, paged: true, unpaged: false, sort },
  };
}
