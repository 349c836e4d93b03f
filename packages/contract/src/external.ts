import Type, { type Static } from "typebox";
import { named, ref, stringEnum } from "./schema.ts";

/** How programs outside of Millrace run the task runs of external tasks: docs/external-workers.md. */

const id = (description: string) => Type.String({ pattern: uuid, description });
/** Used in the examples. */
const exampleWorker = "0190c2f6-5f3e-7c1a-8a53-1c2d3e4f5a6b";
const exampleAttempt = { id: "0190c2f6-7a10-7b2c-9d64-2d3e4f5a6b7c", attempt: 1 };
const exampleClaim = {
  ...exampleAttempt,
  ...{
    task: "greet",
    name: "hello",
    runId: "0190c2f6-7a10-7000-8e75-3e4f5a6b7c8d",
    params: { name: "Ada", times: 2 },
    deadline: "2026-03-01T10:30:00.000Z",
    losses: 0,
  },
};
const uuid = "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$";

const workerId = id("The ID that the first claim returned");
const taskRunId = id("ID of the task run");
const attempt = Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: "The attempt, as claimed: the fence" });
const taskNames = Type.Array(Type.String({ pattern: "^[0-9A-Za-z-]{1,200}$" }), {
  minItems: 1,
  maxItems: 100,
  description: "Names of external tasks",
  examples: [["greet"]],
});
const max = Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 1, description: "Task runs to claim at most" }));
const wait = (description: string) => Type.Optional(Type.Number({ minimum: 0, maximum: 30, default: 0, description }));
const lines = (maxItems: number) =>
  Type.Array(Type.String({ maxLength: 65_536 }), { maxItems, description: "Lines of the log, without a line end" });

/** An attempt that is in progress at a worker. */
export interface ExternalAttempt extends Static<typeof externalAttempt> {}
export const externalAttempt = named("ExternalAttempt", Type.Object({ id: taskRunId, attempt }));

export interface ExternalClaimRequest extends Static<typeof externalClaimRequest> {}
export const externalClaimRequest = named(
  "ExternalClaimRequest",
  Type.Object(
    {
      worker: Type.Optional(id("The ID that the first claim returned; without it, the program is registered as a new worker")),
      name: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          pattern: "\\S",
          description: "Name of a new worker, for people",
          examples: ["billing-1"],
        }),
      ),
      leaseSeconds: Type.Optional(
        Type.Integer({
          minimum: 5,
          maximum: 300,
          default: 30,
          description: "Of a new worker: without a heartbeat or a claim for this time, its attempts go to other workers",
        }),
      ),
      tasks: taskNames,
      max,
      wait: wait("Seconds to wait if nothing can be claimed"),
    },
    { examples: [{ tasks: ["greet"], name: "billing-1", max: 10, wait: 20 }] },
  ),
);

/** A claimed attempt. */
export interface ExternalClaim extends Static<typeof externalClaim> {}
export const externalClaim = named(
  "ExternalClaim",
  Type.Object({
    id: taskRunId,
    attempt,
    task: Type.String({ description: "Name of the task" }),
    name: Type.String({ description: "Name of the task run in its workflow" }),
    runId: Type.String({ description: "ID of the run" }),
    params: Type.Record(Type.String(), Type.Unknown(), { description: "Values by name, in their types, with secrets in clear text" }),
    deadline: Type.Unsafe<string | null>({
      type: ["string", "null"],
      format: "date-time",
      description: "When the attempt times out; null if only the run has a deadline",
    }),
    losses: Type.Integer({ description: "Number of attempts right before this one that were lost with their workers" }),
    traceparent: Type.Optional(Type.String({ description: "Parent for your own spans (W3C Trace Context); absent if there is no trace" })),
  }),
);

export interface ExternalClaims extends Static<typeof externalClaims> {}
export const externalClaims = named(
  "ExternalClaims",
  Type.Object(
    {
      worker: Type.String({ description: "ID of the worker, for all further requests" }),
      leaseSeconds: Type.Optional(Type.Integer({ description: "Present for a new worker: send heartbeats at least three times as often" })),
      attempts: Type.Array(ref(externalClaim)),
      warnings: Type.Optional(Type.Array(Type.String(), { description: "Names that are not external tasks of the team" })),
    },
    { examples: [{ worker: exampleWorker, leaseSeconds: 30, attempts: [exampleClaim] }] },
  ),
);

export interface ExternalHeartbeat extends Static<typeof externalHeartbeat> {}
export const externalHeartbeat = named(
  "ExternalHeartbeat",
  Type.Object(
    {
      worker: workerId,
      attempts: Type.Array(ref(externalAttempt), {
        maxItems: 1000,
        description: "All attempts that the worker runs. What it holds and does not list is released after 10 seconds",
      }),
      wait: wait("Seconds to wait for the end of one of the attempts"),
    },
    { examples: [{ worker: exampleWorker, attempts: [exampleAttempt], wait: 10 }] },
  ),
);

/** An attempt that no longer belongs to the worker. */
export interface ExternalEnd extends Static<typeof externalEnd> {}
export const externalEnd = named(
  "ExternalEnd",
  Type.Object({
    id: taskRunId,
    attempt,
    status: Type.Optional(Type.String({ description: "How the attempt ended", examples: ["cancelled", "timedout", "lost"] })),
  }),
);

export const externalHeartbeatAnswer = named(
  "ExternalHeartbeatAnswer",
  Type.Object(
    {
      leaseSeconds: Type.Integer({ description: "How long this heartbeat counts" }),
      ended: Type.Array(ref(externalEnd), { description: "Attempts of the request that the worker must stop" }),
    },
    { examples: [{ leaseSeconds: 30, ended: [{ ...exampleAttempt, status: "cancelled" }] }] },
  ),
);

export interface ExternalLog extends Static<typeof externalLog> {}
export const externalLog = named(
  "ExternalLog",
  Type.Object(
    {
      worker: workerId,
      attempts: Type.Array(Type.Object({ id: taskRunId, attempt, lines: lines(10_000) }), { minItems: 1, maxItems: 100 }),
    },
    { examples: [{ worker: exampleWorker, attempts: [{ ...exampleAttempt, lines: ["greeting Ada"] }] }] },
  ),
);

export const externalLogAnswer = named(
  "ExternalLogAnswer",
  Type.Object(
    {
      attempts: Type.Array(
        Type.Object({
          id: taskRunId,
          attempt,
          stored: Type.Boolean({ description: "False if the attempt is not the worker's any more, or its log has reached its limit" }),
        }),
      ),
    },
    { examples: [{ attempts: [{ ...exampleAttempt, stored: true }] }] },
  ),
);

export const externalStatuses = ["succeeded", "failed", "released"] as const;

export interface ExternalOutcome extends Static<typeof externalOutcome> {}
export const externalOutcome = named(
  "ExternalOutcome",
  Type.Object({
    id: taskRunId,
    attempt,
    status: stringEnum(externalStatuses, {
      description: "released: the worker gives the attempt back without having finished it. Another attempt follows, and no retry is used",
    }),
    results: Type.Optional(
      Type.Record(Type.String({ pattern: "^[A-Za-z0-9_][A-Za-z0-9_.-]{0,199}$" }), Type.Unknown(), {
        maxProperties: 1000,
        description: "Values by name. A failed attempt can have some, too",
      }),
    ),
    message: Type.Optional(Type.String({ maxLength: 10_000, description: "Why it failed or was released, for people" })),
    retry: Type.Optional(
      Type.Boolean({
        default: true,
        description: "Of a failed attempt. False: the retry policy does not apply, since another attempt would fail, too",
      }),
    ),
    fault: Type.Optional(
      Type.Boolean({
        default: false,
        description: "Of a released attempt: the machine is at fault. Five such attempts in a row fail the task run",
      }),
    ),
    lines: Type.Optional(lines(10_000)),
  }),
);

export interface ExternalCompletion extends Static<typeof externalCompletion> {}
export const externalCompletion = named(
  "ExternalCompletion",
  Type.Object(
    {
      worker: workerId,
      attempts: Type.Array(ref(externalOutcome), { minItems: 1, maxItems: 200 }),
      claim: Type.Optional(Type.Object({ tasks: taskNames, max }, { description: "What to claim in the same request" })),
    },
    {
      examples: [
        {
          worker: exampleWorker,
          attempts: [{ ...exampleAttempt, status: "succeeded", results: { greeting: "hello Ada" } }],
          claim: { tasks: ["greet"], max: 1 },
        },
      ],
    },
  ),
);

export const externalCompletionAnswer = named(
  "ExternalCompletionAnswer",
  Type.Object(
    {
      completed: Type.Array(
        Type.Object({
          id: taskRunId,
          attempt,
          recorded: Type.Boolean({ description: "False if the attempt was over before, or never was this worker's" }),
          status: Type.Optional(Type.String({ description: "How the attempt has ended", examples: ["succeeded", "cancelled", "lost"] })),
        }),
        { description: "In the order of the request" },
      ),
      claimed: Type.Array(ref(externalClaim)),
    },
    { examples: [{ completed: [{ ...exampleAttempt, recorded: true }], claimed: [exampleClaim] }] },
  ),
);

export interface ExternalLeave extends Static<typeof externalLeave> {}
export const externalLeave = named("ExternalLeave", Type.Object({ worker: workerId }, { examples: [{ worker: exampleWorker }] }));

/** A program that runs external tasks, as its team sees it. */
export interface ExternalWorker extends Static<typeof externalWorker> {}
export const externalWorker = named(
  "ExternalWorker",
  Type.Object({
    id: Type.String({ description: "ID of the worker" }),
    name: Type.String({ description: "The name that it registered with; without one, the name of its token" }),
    tasks: Type.Array(Type.String(), { description: "What it asked for last" }),
    alive: Type.Boolean({ description: "False: it sent nothing within its lease, or has left" }),
    asking: Type.Boolean({ description: "True if it asks for work now. A live worker that is full asks for none" }),
    running: Type.Integer({ description: "Attempts that it holds" }),
    startDate: Type.String({ format: "date-time", description: "When it registered" }),
    leaseUntilDate: Type.String({ format: "date-time", description: "Until when it counts as alive without another request" }),
  }),
);

export interface ExternalWorkers extends Static<typeof externalWorkers> {}
export const externalWorkers = named(
  "ExternalWorkers",
  Type.Object(
    { workers: Type.Array(ref(externalWorker), { description: "The live ones first. A lost one is listed for about a minute" }) },
    {
      examples: [
        {
          workers: [
            {
              ...{ id: exampleWorker, name: "billing-1", tasks: ["greet"], alive: true, asking: true, running: 1 },
              ...{ startDate: "2026-03-01T10:00:00.000Z", leaseUntilDate: "2026-03-01T10:20:30.000Z" },
            },
          ],
        },
      ],
    },
  ),
);
