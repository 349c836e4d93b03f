import Type, { type Static } from "typebox";
import { named, nullable, ref, stringEnum } from "../schema.ts";

/** How much of the database one kind of records uses. */
export interface StorageFigures extends Static<typeof storageFigures> {}
export const storageFigures = named(
  "StorageFigures",
  Type.Object({
    kind: stringEnum(["runs", "taskRuns", "logs", "events", "audit", "other"] as const, {
      description: "events: deliveries and the events behind them; other: documents, users and whatever else there is",
    }),
    bytes: Type.Integer({ description: "On the disk of the database, with indexes" }),
    bytesPerDay: nullable(Type.Integer(), {
      description: "Average growth a day since the beginning of last month; null where only a slow query could say it",
    }),
  }),
);

/** A folder of the machine that responds, and the free space on its disk. */
export interface StorageFolder extends Static<typeof storageFolder> {}
export const storageFolder = named(
  "StorageFolder",
  Type.Object({
    kind: stringEnum(["database", "workspaces", "logStore", "workspaceStore"] as const, {
      description: "database: of the embedded server; workspaces: those on this machine; the stores only if they are folders",
    }),
    path: Type.String(),
    bytes: nullable(Type.Integer(), { description: "What is in it; null for the database, which has its own figures" }),
    isComplete: Type.Boolean({ description: "False: it has more files than are counted, so there is more in it than `bytes`" }),
    freeBytes: Type.Integer({ description: "Left on its disk" }),
    totalBytes: Type.Integer({ description: "Of its disk" }),
  }),
);

/** What uses space in the database and on the disks of the machine that responds. */
export interface Storage extends Static<typeof storage> {}
export const storage = named(
  "Storage",
  Type.Object(
    {
      databaseBytes: Type.Integer({ description: "The whole database" }),
      kinds: Type.Array(ref(storageFigures)),
      folders: Type.Array(ref(storageFolder)),
    },
    {
      examples: [
        {
          databaseBytes: 140_000_000,
          kinds: [{ kind: "logs", bytes: 80_000_000, bytesPerDay: 2_400_000 }],
          folders: [
            {
              kind: "database",
              path: "/var/lib/millrace/postgres",
              bytes: null,
              isComplete: true,
              freeBytes: 31_000_000_000,
              totalBytes: 80_000_000_000,
            },
          ],
        },
      ],
    },
  ),
);
