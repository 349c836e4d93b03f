import Type, { type Static } from "typebox";
import { named, ref } from "./schema.ts";

/** The workers of an instance, and the queue in front of them. */

/** An executor that a worker was configured with. */
export interface WorkerExecutor extends Static<typeof workerExecutor> {}
export const workerExecutor = named(
  "WorkerExecutor",
  Type.Object({
    kind: Type.String({ examples: ["process", "container", "kubernetes"] }),
    available: Type.Boolean({ description: "It works now" }),
    isolation: Type.Optional(Type.String({ description: "What isolates the steps; known for the process that answers" })),
    fault: Type.Optional(
      Type.String({
        description: "A fault of the machine because of which it takes no tasks now",
        examples: ["the disk of the worker is full", "the worker has too many files open"],
      }),
    ),
    detail: Type.Optional(
      Type.String({ description: "Details, or why it is off; known for the process that answers, and for administrators only" }),
    ),
  }),
);

/** A process that runs tasks. */
export interface Worker extends Static<typeof worker> {}
export const worker = named(
  "Worker",
  Type.Object({
    id: Type.String(),
    host: Type.String(),
    pid: Type.Integer(),
    roles: Type.Array(Type.String(), { description: "What the process does besides running tasks" }),
    executors: Type.Array(ref(workerExecutor)),
    labels: Type.Array(Type.String(), { description: "Tasks require them with millrace.dev/runs-on" }),
    slots: Type.Integer({ description: "Number of task runs that it runs at the same time" }),
    busySlots: Type.Integer(),
    startDate: Type.String({ format: "date-time" }),
    leaseUntilDate: Type.String({
      format: "date-time",
      description: "Extended regularly; when it expires, its task runs are retried elsewhere",
    }),
    alive: Type.Boolean({ description: "Its lease is valid" }),
    answering: Type.Boolean({ description: "It is the process that answers" }),
  }),
);

/** Ready task runs with the same need, and why none of them is claimed. */
export interface QueueNeed extends Static<typeof queueNeed> {}
export const queueNeed = named(
  "QueueNeed",
  Type.Object({
    executor: Type.String({ description: "Kind of executor, or image: whatever runs images", examples: ["process", "image"] }),
    labels: Type.Array(Type.String()),
    waiting: Type.Integer({ description: "Task runs" }),
    oldestDate: Type.String({ format: "date-time", description: "Since when the first of them could be claimed" }),
    why: Type.String({ description: "Why they are waiting" }),
  }),
);

/** A team with waiting runs or task runs. */
export interface QueueTeam extends Static<typeof queueTeam> {}
export const queueTeam = named(
  "QueueTeam",
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    displayName: Type.String(),
    waiting: Type.Integer({ description: "Task runs that no worker has claimed yet" }),
    oldestDate: Type.Unsafe<string | null>({
      type: ["string", "null"],
      format: "date-time",
      description: "Since when the first of them could be claimed; null if none is waiting",
    }),
    queuedRuns: Type.Integer({ description: "Runs that wait for the team's quota or for the engine" }),
  }),
);

export interface Workers extends Static<typeof workers> {}
export const workers = named(
  "Workers",
  Type.Object(
    {
      workers: Type.Array(ref(worker), { description: "Live ones first; a worker that is gone stays in the list for a while" }),
      queue: Type.Object({
        waiting: Type.Integer({ description: "Task runs that no worker has claimed yet" }),
        isMore: Type.Boolean({ description: "There are more than were counted" }),
        needs: Type.Array(ref(queueNeed), { description: "The 20 with the most" }),
        teams: Type.Array(ref(queueTeam), { description: "The 20 with the most" }),
      }),
    },
    {
      examples: [
        {
          workers: [
            {
              id: "0198c1de-7d84-7e2c-87bc-6c5d4e3f2a98",
              host: "mill-1",
              pid: 4120,
              roles: ["api", "engine", "worker"],
              executors: [
                { kind: "process", available: true, isolation: "bubblewrap" },
                { kind: "container", available: false, isolation: "docker", detail: "there is no /run/docker.sock" },
              ],
              labels: ["linux"],
              slots: 8,
              busySlots: 3,
              startDate: "2026-03-01T12:00:00.000Z",
              leaseUntilDate: "2026-03-02T08:15:20.000Z",
              alive: true,
              answering: true,
            },
          ],
          queue: {
            waiting: 2,
            isMore: false,
            needs: [
              {
                executor: "container",
                labels: [],
                waiting: 2,
                oldestDate: "2026-03-02T08:10:00.000Z",
                why: 'Waiting because the executor "container" is not available on the worker that has it; GET /health of that worker says why',
              },
            ],
            teams: [
              {
                id: "0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e",
                name: "hawks",
                displayName: "The Hawks",
                waiting: 2,
                oldestDate: "2026-03-02T08:10:00.000Z",
                queuedRuns: 0,
              },
            ],
          },
        },
      ],
    },
  ),
);
