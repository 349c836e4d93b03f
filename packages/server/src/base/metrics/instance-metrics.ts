import { Gauge, Registry } from "prom-client";

/**
 * What waits in the whole instance. Each process reports the same, so take the maximum over processes, not the sum. The database is queried
 * when someone reads the metrics.
 */
export const instanceMetrics = new Registry();

const registers = [instanceMetrics];

export const waiting = {
  queuedRuns: new Gauge({ name: "millrace_queued_runs", help: "Runs of the instance that wait in the queue (10,000 at most)", registers }),
  ready: new Gauge({
    name: "millrace_ready_task_runs",
    help: "Task runs of the instance that no worker has claimed, by the executor they need (10,000 at most)",
    labelNames: ["executor"],
    registers,
  }),
  readySeconds: new Gauge({
    name: "millrace_ready_task_runs_oldest_seconds",
    help: "How long the first of these has waited",
    labelNames: ["executor"],
    registers,
  }),
  workers: new Gauge({ name: "millrace_workers", help: "Workers of the instance that respond", registers }),
  workerSlots: new Gauge({ name: "millrace_workers_slots", help: "Slots of these workers", registers }),
  deliveries: new Gauge({
    name: "millrace_deliveries",
    help: "Deliveries of the instance that are not over, and those that were given up (10,000 each at most)",
    labelNames: ["status"],
    registers,
  }),
  scheduleLate: new Gauge({
    name: "millrace_schedule_late_seconds",
    help: "How late the first schedule of the instance is that should have fired; 0: none is late",
    registers,
  }),
  undispatchedEvents: new Gauge({
    name: "millrace_undispatched_events",
    help: "Events of the instance that are not matched with subscriptions yet (counted up to 10,000)",
    registers,
  }),
  searchLate: new Gauge({
    name: "millrace_run_search_late_seconds",
    help: "For how long the first changed run of the instance has waited to be indexed for the search",
    registers,
  }),
  schemaVersion: new Gauge({ name: "millrace_schema_version", help: "The last migration of the database", registers }),
};
