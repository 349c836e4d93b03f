import Type, { type Static } from "typebox";
import { named, nullable, ref } from "./schema.ts";
import { storage } from "./settings/storage.ts";

/** The largest number of days. A team can't keep anything forever that the instance doesn't, so its own values are never 0. */
export const maxRetentionDays = 36_500;

const days = (description: string) => Type.Integer({ minimum: 0, description: `${description}, in days; 0 keeps them forever` });

/** For how many days history is kept. 0 means forever. */
export interface RetentionInForce extends Static<typeof retentionInForce> {}
export const retentionInForce = named(
  "RetentionInForce",
  Type.Object(
    {
      runs: days("Runs after they end, with everything that belongs to them"),
      logs: days("Logs after the end of their run"),
      deliveries: days("Deliveries of events after they were delivered or given up"),
    },
    { examples: [{ runs: 180, logs: 30, deliveries: 30 }] },
  ),
);

export type RetentionDays = Partial<RetentionInForce>;
/** For the whole instance. */
export interface Retention extends RetentionInForce {
  audit: number;
}

/** A team's own retention. In a request, a missing kind does not change, and null removes the team's own value. */
export interface TeamRetention extends Static<typeof teamRetention> {}
const ownDays = (what: string) =>
  Type.Optional(
    Type.Unsafe<number | null>({
      type: ["integer", "null"],
      minimum: 1,
      maximum: maxRetentionDays,
      description: `${what}, in days; null: as long as the instance keeps them`,
    }),
  );
export const teamRetention = named(
  "TeamRetention",
  Type.Object(
    {
      runs: ownDays("Runs after they end"),
      logs: ownDays("Logs after the end of their run"),
      deliveries: ownDays("Deliveries after they were delivered or given up"),
    },
    { examples: [{ runs: 90, logs: 7 }] },
  ),
);

/** The amount of one kind of history, and its oldest date. */
export interface HistoryFigures extends Static<typeof historyFigures> {}
const orNullDate = (description: string) => Type.Unsafe<string | null>({ type: ["string", "null"], format: "date-time", description });
export const historyFigures = named(
  "HistoryFigures",
  Type.Object({
    kind: Type.Enum(["runs", "logs", "deliveries", "audit"]),
    days: Type.Integer({ description: "Number of days it is kept; 0 is forever" }),
    rows: Type.Integer({ description: "Of runs, chunks of logs, deliveries and audit records, as the database estimates them" }),
    bytes: Type.Integer({ description: "On the disk of the database, with indexes" }),
    oldestDate: orNullDate("When the oldest was created; of deliveries, when it ended"),
    nextRemovalDate: orNullDate(
      "When the oldest is old enough to be removed; what is open or kept stays. null: nothing is there, or it is kept forever",
    ),
  }),
);

export interface HistoryRemoval extends Static<typeof historyRemoval> {}
export const historyRemoval = named(
  "HistoryRemoval",
  Type.Object({
    beginDate: Type.String({ format: "date-time" }),
    endDate: orNullDate("null while it is in progress"),
    runs: Type.Integer({
      description: "Removed in batches; rows of dropped partitions are not counted. The same for log chunks, events and audit records",
    }),
    logChunks: Type.Integer(),
    logObjects: Type.Integer({ description: "Logs in the log store" }),
    deliveries: Type.Integer(),
    events: Type.Integer(),
    auditRecords: Type.Integer(),
    partitions: Type.Array(Type.String(), {
      description: "Dropped as a whole: a table and a month",
      examples: [["run_202601", "task_run_202601"]],
    }),
  }),
);

export interface History extends Static<typeof history> {}
export const history = named(
  "History",
  Type.Object(
    {
      kinds: Type.Array(ref(historyFigures)),
      lastRemoval: nullable(ref(historyRemoval), { description: "null before the first one" }),
      nextRemovalDate: orNullDate("When the next removal is due; null until a process with the role engine has started"),
      storage: ref(storage),
    },
    {
      examples: [
        {
          kinds: [
            {
              kind: "runs",
              days: 180,
              rows: 41_200,
              bytes: 92_000_000,
              oldestDate: "2026-02-01T00:00:12.400Z",
              nextRemovalDate: "2026-08-28T00:00:00.000Z",
            },
          ],
          lastRemoval: {
            beginDate: "2026-08-01T03:10:00.000Z",
            endDate: "2026-08-01T03:10:04.200Z",
            runs: 12,
            logChunks: 0,
            logObjects: 0,
            deliveries: 310,
            events: 0,
            auditRecords: 0,
            partitions: ["run_202601", "task_run_202601", "task_run_attempt_202601"],
          },
          nextRemovalDate: "2026-08-01T04:10:00.000Z",
          storage: {
            databaseBytes: 140_000_000,
            kinds: [{ kind: "logs", bytes: 80_000_000, bytesPerDay: 2_400_000 }],
            folders: [],
          },
        },
      ],
    },
  ),
);
