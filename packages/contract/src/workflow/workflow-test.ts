import Type, { type Static, type TProperties } from "typebox";
import { named, orNull, ref, stringEnum } from "../schema.ts";
import { statuses, taskTypes, triggers } from "../status.ts";
import { draftMembers } from "./workflow-try.ts";

/**
 * Tests of workflows: the document with input and expectations, and how a test ended. Unknown members are refused: an expectation that no
 * one reads would always be met.
 */

export const workflowTestLimits = {
  /** The most tests of one workflow. */
  tests: 200,
  /** Characters of JSON for one test. */
  length: 1024 * 1024,
  /** Steps of one test: ends of attempts, ends of waits, events. */
  steps: 20_000,
  /** On the clock of the test. */
  days: 3660,
} as const;

function strict<M extends TProperties>(members: M, options: Record<string, unknown> = {}) {
  return Type.Object(members, { additionalProperties: false, ...options });
}

const taskName = Type.String({ minLength: 1, maxLength: 220 });

const duration = (description: string) =>
  orNull(
    Type.String({
      maxLength: 40,
      pattern: "^(?:0|(?:[0-9]+(?:\\.[0-9]+)?(?:h|ms|m|s))+)$",
      description: `${description}, such as 90s, 5m or 1h30m`,
      examples: ["5m"],
    }),
  );

const values = (description: string) => Type.Record(Type.String({ minLength: 1 }), Type.Unknown(), { maxProperties: 1000, description });

export const mockStatuses = ["succeeded", "failed", "timedout", "invalid", "lost"] as const;
export type MockStatus = (typeof mockStatuses)[number];

const endMembers = {
  status: orNull(stringEnum(mockStatuses, { description: "Default succeeded. lost: its worker was lost, so that it is tried again" })),
  results: orNull(values("By name")),
  reason: orNull(Type.String({ maxLength: 200 })),
  message: orNull(Type.String({ maxLength: 2000 })),
  duration: duration("How long the attempt takes; default 0"),
  decision: orNull(Type.String({ maxLength: 10_000, description: "Of a switch: the value that it compares" })),
};

/** How one attempt of a mocked task ends. */
export interface MockedEnd extends Static<typeof mockedEnd> {}
export const mockedEnd = named("WorkflowTestMockedEnd", strict(endMembers));

/** What a task does in a test, instead of running. */
export interface TaskMock extends Static<typeof taskMock> {}
export const taskMock = named(
  "WorkflowTestMock",
  strict({
    ...endMembers,
    attempts: orNull(
      Type.Array(ref(mockedEnd), {
        minItems: 1,
        maxItems: 101,
        description: "Of a task that is tried again: how each attempt ends. The last one also stands for further ones",
      }),
    ),
    items: orNull(
      Type.Array(strict({ ...endMembers, attempts: orNull(Type.Array(ref(mockedEnd), { minItems: 1, maxItems: 101 })) }), {
        maxItems: 10_000,
        description: "Of a task with forEach: how each item ends, in order. Further items end like the task itself",
      }),
    ),
  }),
);

export const testDecisions = ["approved", "rejected"] as const;

/** What happens from outside while the workflow runs. One of task, topic and cancel says what it is. */
export interface TestEvent extends Static<typeof testEvent> {}
export const testEvent = named(
  "WorkflowTestEvent",
  strict({
    task: orNull(Type.String({ minLength: 1, maxLength: 220, description: "Name of an approval or a manual task that is decided" })),
    decision: orNull(stringEnum(testDecisions, { description: "Default approved" })),
    by: orNull(Type.String({ maxLength: 200, description: "Name of the person who decides" })),
    group: orNull(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          "Approver group of that person, as the task names it: that of the action, or the one that it is escalated to, whose people decide from then on",
      }),
    ),
    comments: orNull(Type.String({ maxLength: 2000 })),
    values: orNull(values("Of the fields of the action")),
    after: duration(
      "From the moment that the task begins to wait until the decision; default 0, for people of the other group the escalation",
    ),
    topic: orNull(Type.String({ minLength: 1, maxLength: 500, description: "Topic of an event that comes from outside" })),
    status: orNull(stringEnum(["succeeded", "failed"] as const, { description: "Of the event; default succeeded" })),
    data: Type.Optional(Type.Unknown({ description: "Payload of the event" })),
    cancel: orNull(Type.Boolean({ description: "The run is cancelled" })),
    at: duration("Of an event or a cancellation: time since the start of the run; default 0"),
  }),
);

/** What is expected of one task run. */
export interface TaskCheck extends Static<typeof taskCheck> {}
export const taskCheck = named(
  "WorkflowTestExpectedTask",
  strict({
    status: orNull(stringEnum(statuses)),
    reason: orNull(Type.String({ maxLength: 200 })),
    attempts: orNull(Type.Integer({ minimum: 0, maximum: 1000 })),
    decision: orNull(Type.String({ maxLength: 10_000 })),
    escalated: orNull(Type.Boolean({ description: "Whether its action was escalated, since nobody had decided in time" })),
    escalatedTo: orNull(
      Type.String({ minLength: 1, maxLength: 200, description: "The approver group that can decide too since then, as the task names it" }),
    ),
    escalatedAfter: duration("When it was escalated, from the moment that the task began to wait"),
    params: orNull(values("Parameters that it received; others don't matter")),
    results: orNull(values("Others don't matter")),
  }),
);

const names = (description: string) => orNull(Type.Array(taskName, { maxItems: 10_000, description }));

export interface WorkflowTestInput extends Static<typeof workflowTest> {}
export const workflowTest = named(
  "WorkflowTest",
  strict(
    {
      id: orNull(Type.String({ description: "Set by the service" })),
      name: Type.String({ minLength: 1, maxLength: 128, pattern: "\\S", description: "Unique in the workflow" }),
      workflow: orNull(Type.String({ minLength: 1, maxLength: 128, description: "Name of the workflow; in an address it is known" })),
      description: orNull(Type.String({ maxLength: 2000 })),
      version: orNull(Type.Integer({ description: "Set by the service" })),
      changeDate: orNull(Type.String({ description: "ISO 8601 in UTC. Set by the service" })),
      given: orNull(
        strict({
          params: orNull(values("Parameters of the run; others have their defaults")),
          team: orNull(values("Parameters of the team; others have a placeholder")),
          global: orNull(values("Parameters of the instance; others have a placeholder")),
          trigger: orNull(stringEnum(triggers, { description: "Default manual" })),
          timeout: orNull(
            Type.Integer({ minimum: 1, maximum: 525_600, description: "Of the run, in minutes; default that of the workflow" }),
          ),
          now: orNull(Type.String({ format: "date-time", description: "When the run begins; default 2030-01-01T00:00:00Z" })),
        }),
      ),
      mocks: orNull(
        Type.Record(taskName, ref(taskMock), { maxProperties: 10_000, description: "By the name of the task, or of an item: deploy[0]" }),
      ),
      mockOthers: orNull(
        Type.Object(endMembers, {
          additionalProperties: false,
          description: "How every other task ends that would need a worker or another workflow. {} lets them succeed without results",
        }),
      ),
      events: orNull(Type.Array(ref(testEvent), { maxItems: 1000 })),
      expect: orNull(
        strict({
          status: orNull(stringEnum(statuses, { description: "Of the run; default succeeded" })),
          reason: orNull(Type.String({ maxLength: 200 })),
          message: orNull(Type.String({ maxLength: 2000, description: "A part of the run's message" })),
          ran: names("Tasks that ran; others may run, too"),
          skipped: names("Tasks that were skipped"),
          order: names("Tasks that began in this order; others may begin between them"),
          results: orNull(values("Of the run; others don't matter")),
          params: orNull(
            Type.Record(taskName, values("Parameters that the task received; others don't matter"), {
              maxProperties: 10_000,
              description: "By the name of the task. Short for `tasks.NAME.params`",
            }),
          ),
          tasks: orNull(Type.Record(taskName, ref(taskCheck), { maxProperties: 10_000 })),
          duration: orNull(
            strict({ min: duration("At least"), max: duration("At most") }, { description: "Of the run, by the clock of the test" }),
          ),
        }),
      ),
    },
    {
      examples: [
        {
          name: "greets in the rain",
          given: { params: { city: "Bergen" } },
          mocks: { "look up": { results: { weather: "rain" }, duration: "5s" } },
          expect: { status: "succeeded", ran: ["umbrella"], skipped: ["sunglasses"] },
        },
      ],
    },
  ),
);

/** A stored test, in a response. */
export interface WorkflowTest extends WorkflowTestInput {
  id: string;
  workflow: string;
  version: number;
  changeDate: string;
}

export const testOutcomes = ["passed", "failed"] as const;
export type TestOutcome = (typeof testOutcomes)[number];

export interface TestFailure extends Static<typeof testFailure> {}
export const testFailure = named(
  "WorkflowTestFailure",
  Type.Object({
    path: Type.String({ description: "JSON pointer into the test: what was not met", examples: ["/expect/status"] }),
    message: Type.String(),
    expected: Type.Optional(Type.Unknown()),
    actual: Type.Optional(Type.Unknown({ description: "Absent: there was nothing" })),
  }),
);

export interface TestedTask extends Static<typeof testedTask> {}
export const testedTask = named(
  "WorkflowTestTask",
  Type.Object({
    name: Type.String(),
    type: stringEnum(taskTypes),
    status: stringEnum(statuses),
    reason: Type.Optional(Type.String()),
    message: Type.Optional(Type.String()),
    attempts: Type.Integer(),
    startedMs: Type.Optional(Type.Integer({ description: "Since the start of the run, by the clock of the test" })),
    endedMs: Type.Optional(Type.Integer()),
    decision: Type.Optional(Type.String()),
    escalatedTo: Type.Optional(Type.String({ description: "Of an approval or a manual task: the group that it was escalated to" })),
    escalatedMs: Type.Optional(Type.Integer({ description: "When, since the start of the run" })),
    isMocked: Type.Boolean(),
    params: values("As it received them. Long ones are cut"),
    results: values("Long ones are cut"),
  }),
);

export interface WorkflowTestLink extends Static<typeof workflowTestLink> {}
export const workflowTestLink = named("WorkflowTestLink", Type.Object({ from: Type.String(), to: Type.String() }));

export interface TestedRun extends Static<typeof testedRun> {}
export const testedRun = named(
  "WorkflowTestRun",
  Type.Object({
    status: stringEnum(statuses),
    reason: Type.Optional(Type.String()),
    message: Type.Optional(Type.String()),
    durationMs: Type.Integer({ description: "By the clock of the test" }),
    results: values("Of the run. Long ones are cut"),
    tasks: Type.Array(ref(testedTask), { description: "The path: those that ended, in the order in which they began; at most 1,000" }),
    links: Type.Array(ref(workflowTestLink), { description: "Links that were taken" }),
  }),
);

export interface WorkflowTestResult extends Static<typeof workflowTestResult> {}
export const workflowTestResult = named(
  "WorkflowTestResult",
  Type.Object({
    name: Type.String(),
    outcome: stringEnum(testOutcomes),
    problem: Type.Optional(Type.String({ description: "Why it could not be run to its end, with the remedy" })),
    failures: Type.Array(ref(testFailure), { description: "Expectations that were not met" }),
    run: Type.Optional(ref(testedRun)),
  }),
);

export interface WorkflowTestCoverage extends Static<typeof workflowTestCoverage> {}
export const workflowTestCoverage = named(
  "WorkflowTestCoverage",
  Type.Object({
    tasks: Type.Object({ total: Type.Integer(), covered: Type.Integer(), missing: Type.Array(Type.String()) }),
    links: Type.Object({ total: Type.Integer(), covered: Type.Integer(), missing: Type.Array(ref(workflowTestLink)) }),
  }),
);

export interface WorkflowTestReport extends Static<typeof workflowTestReport> {}
export const workflowTestReport = named(
  "WorkflowTestReport",
  Type.Object(
    {
      workflow: Type.String(),
      version: Type.Optional(Type.Integer({ description: "Absent: a draft" })),
      passed: Type.Integer(),
      failed: Type.Integer(),
      tests: Type.Array(ref(workflowTestResult)),
      coverage: ref(workflowTestCoverage),
    },
    {
      examples: [
        {
          workflow: "greet",
          version: 3,
          passed: 1,
          failed: 0,
          tests: [{ name: "greets in the rain", outcome: "passed", failures: [] }],
          coverage: { tasks: { total: 3, covered: 3, missing: [] }, links: { total: 4, covered: 4, missing: [] } },
        },
      ],
    },
  ),
);

/** What is tested (the saved version or a draft), by the stored tests or by those in the request. */
export interface WorkflowTestRequest extends Static<typeof workflowTestRequest> {}
export const workflowTestRequest = named(
  "WorkflowTestRequest",
  Type.Object(
    {
      ...draftMembers,
      tests: orNull(
        Type.Array(ref(workflowTest), {
          maxItems: workflowTestLimits.tests,
          description: "Run instead of the stored ones. Nothing of it is stored",
        }),
      ),
      testDocument: orNull(Type.String({ minLength: 1, description: "One such test as YAML instead; problems have their line" })),
      names: orNull(Type.Array(Type.String(), { maxItems: workflowTestLimits.tests, description: "Only these of the stored tests" })),
    },
    { examples: [{ version: 3 }] },
  ),
);

/** How a stored test ended for a version of its workflow. */
export interface StoredTestOutcome extends Static<typeof storedTestOutcome> {}
export const storedTestOutcome = named(
  "WorkflowTestOutcome",
  Type.Object({
    workflowVersion: Type.Integer(),
    outcome: stringEnum(testOutcomes),
    message: Type.Optional(Type.String({ description: "Of a test that failed: the first reason" })),
    date: Type.String({ description: "ISO 8601 in UTC" }),
  }),
);

export interface ListedWorkflowTest extends Static<typeof listedWorkflowTest> {}
export const listedWorkflowTest = named(
  "ListedWorkflowTest",
  Type.Object(
    {
      id: Type.String(),
      name: Type.String(),
      description: Type.Optional(Type.String()),
      version: Type.Integer(),
      changeDate: Type.String({ description: "ISO 8601 in UTC" }),
      author: Type.Optional(Type.String()),
      lastOutcome: Type.Optional(ref(storedTestOutcome)),
    },
    {
      examples: [
        {
          id: "0198c0de-0000-7000-8000-000000000001",
          name: "greets in the rain",
          version: 2,
          changeDate: "2026-11-02T09:00:00.000Z",
          author: "Ann",
          lastOutcome: { workflowVersion: 3, outcome: "passed", date: "2026-11-02T09:00:00.000Z" },
        },
      ],
    },
  ),
);

/** Converts a finished run to a test. */
export interface TestOfRunRequest extends Static<typeof testOfRunRequest> {}
export const testOfRunRequest = named(
  "TestOfRunRequest",
  Type.Object(
    {
      name: orNull(Type.String({ minLength: 1, maxLength: 128, pattern: "\\S", description: "Default: run and the end of its ID" })),
      dryRun: orNull(Type.Boolean({ description: "Answer the test, and store nothing" })),
    },
    { examples: [{ name: "greets in the rain" }] },
  ),
);
