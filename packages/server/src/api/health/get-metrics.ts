import { instanceMetrics, waiting } from "../../base/metrics/instance-metrics.ts";
import { connections, databaseUp, metrics } from "../../base/metrics/metrics.ts";
import "../../base/metrics/process-metrics.ts";
import Type from "typebox";
import type { Database } from "../../store/database/database.ts";
import { readInstanceFigures } from "../../store/settings/instance-figures.ts";
import { defineEndpoint, reply } from "../endpoint.ts";

export const getMetrics = defineEndpoint({
  method: "GET",
  path: "/metrics",
  summary: "Read the metrics of this process and of the instance",
  description: "Text format of Prometheus. docs/metrics.md lists them.",
  tag: "Operation",
  permission: "system/read",
  transaction: "none",
  produces: ["text/plain"],
  response: Type.String(),
  async handle({ db }) {
    readConnections(db);
    // During an outage, monitoring needs the metrics of the process most.
    const isUp = await isDoneWithin(patienceMs, readGauges(db));
    databaseUp.set(isUp ? 1 : 0);
    const body = `${await metrics.metrics()}\n${isUp ? await instanceMetrics.metrics() : ""}`;
    return reply({ headers: { "content-type": metrics.contentType }, body });
  },
});

/** Prometheus gives up after 10 s, and a database that hangs counts as unreachable. */
const patienceMs = 3_000;

function isDoneWithin(ms: number, work: Promise<void>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    const end = (isDone: boolean) => {
      clearTimeout(timer);
      resolve(isDone);
    };
    work.then(
      () => end(true),
      () => end(false),
    );
  });
}

async function readGauges(db: Database): Promise<void> {
  const figures = await readInstanceFigures(db);
  const { ready, readySeconds, deliveries, ...gauges } = waiting;
  gauges.queuedRuns.set(figures.queuedRuns);
  gauges.workers.set(figures.workers);
  gauges.workerSlots.set(figures.workerSlots);
  gauges.scheduleLate.set(figures.scheduleLateSeconds);
  gauges.searchLate.set(figures.searchLateSeconds);
  gauges.undispatchedEvents.set(figures.undispatchedEvents);
  gauges.schemaVersion.set(figures.schemaVersion);
  ready.reset();
  readySeconds.reset();
  for (const { executor, taskRuns, oldestSeconds } of figures.ready) {
    ready.set({ executor }, taskRuns);
    readySeconds.set({ executor }, oldestSeconds);
  }
  deliveries.set({ status: "open" }, figures.openDeliveries);
  deliveries.set({ status: "dead" }, figures.deadDeliveries);
}

function readConnections(db: Database): void {
  const { open, free, waiting: queued } = db.figures();
  connections.set({ state: "busy" }, open - free);
  connections.set({ state: "free" }, free);
  connections.set({ state: "waiting" }, queued);
}
