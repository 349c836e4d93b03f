import { type History, history } from "@millrace/contract/retention.ts";
import { nextRemovalOf } from "../../core/history/next-removal.ts";
import { nothingRemoved } from "../../domain/history/removal.ts";
import { listHistoryFigures } from "../../store/history/history-figures.ts";
import { findRemoval, type RemovalRow } from "../../store/history/history-removal.ts";
import { readDatabaseFigures } from "../../store/history/storage-figures.ts";
import { defineEndpoint } from "../endpoint.ts";

export const getHistory = defineEndpoint({
  method: "GET",
  path: "/api/v2/system/history",
  summary: "Read the size of the history and the disks, and what was removed",
  description:
    "For runs, logs, deliveries and audit records of all teams: the size, the oldest, and the number of days they are kept. Also what the last removal deleted (or the current one so far), and when the next one is due. `storage` has the size of the database by kind of record, and the folders and disks of the process that answers.",
  tag: "System",
  permission: "system/read",
  transaction: "read",
  response: history,
  async handle({ db, services }) {
    const { retention } = await services.runs.settings.load(db);
    const figures = await listHistoryFigures(db);
    const removal = await findRemoval(db);
    return {
      kinds: figures.map(({ kind, rows, bytes, oldestAt }) => ({
        kind,
        days: retention[kind],
        rows,
        bytes,
        oldestDate: oldestAt?.toISOString() ?? null,
        nextRemovalDate: nextRemovalOf(kind, retention[kind], oldestAt)?.toISOString() ?? null,
      })),
      lastRemoval: viewRemoval(removal),
      nextRemovalDate: removal?.dueAt.toISOString() ?? null,
      storage: { ...(await readDatabaseFigures(db)), folders: (await services.readFolders?.()) ?? [] },
    };
  },
});

function viewRemoval(removal: RemovalRow | undefined): History["lastRemoval"] {
  if (!removal?.beganAt) return null;
  return {
    ...nothingRemoved(),
    ...removal.removed,
    beginDate: removal.beganAt.toISOString(),
    endDate: removal.endedAt?.toISOString() ?? null,
  };
}
