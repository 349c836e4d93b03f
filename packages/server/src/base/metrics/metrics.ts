import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { productVersion } from "../file/repository-root.ts";

/**
 * What this process counts for /metrics, in one registry, from which docs/metrics.md is generated. Each part of the service counts where
 * the event happens, after the commit. The sum over all processes is the total of the instance. Labels have few values, known in advance:
 * never names that people choose.
 */
export const metrics = new Registry();

const registers = [metrics];

/** Buckets in seconds for fast operations, such as requests and statements. */
const shortBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
/** Buckets in seconds for what people wait for: from a pure task to a run of days. */
const longBuckets = [0.01, 0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600, 14_400, 86_400];

export const runsStarted = new Counter({
  name: "millrace_runs_started_total",
  help: "Runs that began, by what started them",
  labelNames: ["trigger"],
  registers,
});

export const runSeconds = new Histogram({
  name: "millrace_run_duration_seconds",
  help: "Time from the start of a run to its end; the count is the number of runs that ended",
  labelNames: ["status"],
  buckets: longBuckets,
  registers,
});

export const runsNeverStarted = new Counter({
  name: "millrace_runs_not_started_total",
  help: "Runs that ended before they began, such as runs that were cancelled in the queue",
  labelNames: ["status"],
  registers,
});

export const taskRunSeconds = new Histogram({
  name: "millrace_task_run_duration_seconds",
  help: "Time from the start of a task run to its end; the count is the number of task runs that ended",
  labelNames: ["type", "status"],
  buckets: longBuckets,
  registers,
});

export const attemptsEnded = new Counter({
  name: "millrace_attempts_total",
  help: "Attempts of task runs that ended, by executor and outcome",
  labelNames: ["executor", "status"],
  registers,
});

export const queueSeconds = new Histogram({
  name: "millrace_task_run_queue_seconds",
  help: "Time from the moment a task run was ready to its claim by a worker, counted when the attempt ends",
  labelNames: ["executor"],
  buckets: longBuckets,
  registers,
});

export const slotsOfWorker = new Gauge({ name: "millrace_worker_slots", help: "Task runs that this worker runs at a time", registers });

export const slotsInUse = new Gauge({ name: "millrace_worker_slots_busy", help: "Task runs that this worker runs now", registers });

export const alertsRecorded = new Counter({
  name: "millrace_alerts_total",
  help: "Alerts about runs, queues and schedules that are late, and queues that recovered; only what a subscription wants is looked for",
  labelNames: ["kind"],
  registers,
});

export const leasesLost = new Counter({
  name: "millrace_worker_leases_lost_total",
  help: "Times that this worker lost its lease",
  registers,
});

export const workersLost = new Counter({
  name: "millrace_workers_lost_total",
  help: "Workers whose task runs this process gave to others, because they stopped responding",
  registers,
});

export const schedulesFired = new Counter({
  name: "millrace_schedules_fired_total",
  help: "Times of schedules, by outcome",
  labelNames: ["outcome"],
  registers,
});

export const scheduleDelaySeconds = new Histogram({
  name: "millrace_schedule_delay_seconds",
  help: "Time from the planned time of a schedule to its run",
  buckets: [0.1, 0.5, 1, 2.5, 5, 15, 60, 300, 3600],
  registers,
});

export const deliveryAttempts = new Counter({
  name: "millrace_delivery_attempts_total",
  help: "Attempts to deliver an event, an email or a message, by channel and outcome; dead: given up",
  labelNames: ["channel", "outcome"],
  registers,
});

export const logBytes = new Counter({
  name: "millrace_log_bytes_total",
  help: "Output of task runs that was stored, before compression, in bytes",
  registers,
});

export const statementSeconds = new Histogram({
  name: "millrace_database_statement_seconds",
  help: "Time from sending a statement to the database until its answer",
  buckets: shortBuckets,
  registers,
});

export const requestSeconds = new Histogram({
  name: "millrace_http_request_seconds",
  help: "Time to answer a request, by the pattern of its path; the count is the number of requests",
  labelNames: ["method", "route", "status"],
  buckets: [0.005, 0.025, 0.1, 0.5, 2.5, 10],
  registers,
});

export const databaseUp = new Gauge({
  name: "millrace_database_up",
  help: "1 if the database answered when the metrics were read; otherwise 0, and the metrics of the instance are absent",
  registers,
});

export const connections = new Gauge({
  name: "millrace_database_connections",
  help: "Connections of this process to the database: busy or free; waiting: statements without one",
  labelNames: ["state"],
  registers,
});

new Gauge({ name: "millrace_info", help: "Always 1; its label is the version of the program", labelNames: ["version"], registers }).set(
  { version: productVersion },
  1,
);
