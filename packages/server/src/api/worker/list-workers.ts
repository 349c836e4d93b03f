import { workers } from "@millrace/contract/worker.ts";
import { mayDoEverything } from "../../policy/users.ts";
import { countQueuedRuns, countReady, listWorkers as list } from "../../store/run/work-queue.ts";
import { listTeamNames } from "../../store/team/directory.ts";
import { listPlaces } from "../../store/worker/workspace-places.ts";
import { defineEndpoint } from "../endpoint.ts";
import { viewQueue, viewWorkers } from "./workers.view.ts";

const maxWorkers = 500;
/** So many that wait are looked at. */
const maxWaiting = 10_000;

export const listWorkers = defineEndpoint({
  method: "GET",
  path: "/api/v2/system/workers",
  summary: "List the workers and the queue",
  description:
    "Every process that runs tasks, with its executors and slots. Also the task runs that no worker has claimed, by requirement and by team, with the reason. " +
    "At most 10,000 waiting task runs are counted. How an executor isolates steps, and why one is off, is known only for the process that responds.",
  tag: "System",
  permission: "system/read",
  transaction: "read",
  response: workers,
  async handle({ db, principal, services }) {
    const rows = await list(db, maxWorkers);
    const ready = await countReady(db, maxWaiting + 1);
    const queued = await countQueuedRuns(db, maxWaiting + 1);
    const places = new Map((await listPlaces(db, [...new Set(ready.map(({ place }) => place))])).map((place) => [place.id, place]));
    const teams = await listTeamNames(db, [...new Set([...ready, ...queued].map(({ teamId }) => teamId))]);
    return {
      workers: viewWorkers(rows, services.executors?.() ?? [], mayDoEverything(principal)),
      queue: viewQueue({ workers: rows.filter(({ isAlive }) => isAlive), places, ready, queued, teams, maxWaiting }),
    };
  },
});
