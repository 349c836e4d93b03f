import { availableParallelism } from "node:os";
import { listOf, oneOf, wholeNumber, workerLabel, workspaceStore } from "./parse-value.ts";
import { optional, required } from "./setting.ts";

const defaultSlots = String(Math.max(4, availableParallelism() * 2));

/** What a worker runs, and how. */
export const workerSettings = {
  allowUnsandboxed: required(
    "MILLRACE_ALLOW_UNSANDBOXED",
    "auto",
    "Whether scripts can run where no sandbox works. `auto`: only on a loopback address with the embedded server, without a trusted proxy or an identity provider, while only one administrator can sign in and no request comes through a proxy; `true`: always, together with `MILLRACE_ALLOW_HOST_NETWORK=true`; `false`: never.",
    oneOf("auto", "true", "false"),
  ),
  executors: required(
    "MILLRACE_EXECUTORS",
    "process",
    "What a worker runs tasks with, separated by commas, in order of preference: sandboxed processes (`process`), containers of Docker or Podman (`container`), Jobs of a cluster (`kubernetes`).",
    listOf(oneOf("process", "container", "kubernetes"), 1),
  ),
  workerSlots: required(
    "MILLRACE_WORKER_SLOTS",
    defaultSlots,
    "Maximum number of tasks that a worker runs at the same time.",
    wholeNumber(1, 10_000),
    "twice the processors, at least 4",
  ),
  keptSandboxes: required(
    "MILLRACE_KEPT_SANDBOXES",
    "16",
    "How many sandboxes of [functions](tasks/functions.md) a worker keeps for their next task run while they have none. They are halted meanwhile, but hold memory. `0`: each task run gets a fresh one.",
    wholeNumber(0, 1_000),
  ),
  keptSandboxMemory: required(
    "MILLRACE_KEPT_SANDBOX_MEMORY",
    "512",
    "Maximum memory in MiB that kept sandboxes hold together. One with more than half of it is not kept.",
    wholeNumber(16, 1_048_576),
  ),
  workerLabels: required(
    "MILLRACE_WORKER_LABELS",
    "",
    "Labels of this worker, separated by commas. A task that requires labels (annotation `millrace.dev/runs-on`) runs only on workers with all of them.",
    listOf(workerLabel, 0),
    "none",
  ),
  workspaceStore: optional(
    "MILLRACE_WORKSPACE_STORE",
    "Where workers save workspaces after each task, so that a run can continue when its machine is gone: an absolute path of a folder that all machines mount, or a bucket such as `s3://bucket/prefix?region=eu-central-1` or `s3://bucket?endpoint=https://minio.internal:9000`. Credentials come from the default chain of the AWS SDK. Use the same value for all workers.",
    workspaceStore,
    "workspaces are stored only on the machine",
  ),
  leaseSeconds: required(
    "MILLRACE_LEASE_SECONDS",
    "8",
    "If a worker sends no heartbeat for this long, its tasks move to other workers. Time without a reachable database doesn't count. A worker that can't reach the database stops its own tasks after the same time, but not before 90 s.",
    wholeNumber(5, 3_600),
  ),
  graceSeconds: required(
    "MILLRACE_GRACE_SECONDS",
    "5",
    "How long running tasks can continue after the stop signal. Requests in progress get the same time, but at least 1 s and at most 10 s. The worker keeps its lease meanwhile.",
    wholeNumber(0, 3_600),
  ),
};
