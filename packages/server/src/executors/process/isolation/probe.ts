import { join } from "node:path";
import type { Job, TakeLines } from "../../../engine/executor.ts";
import { shellProgram } from "../../programs/shell-program.ts";
import { runAttempt } from "../run-attempt.ts";
import type { Runtime } from "../runtime.ts";

/**
 * Tests a level at the start, with the same commands that isolate steps later. A real step, with a workspace, tries to open what belongs to
 * the service. A level that does not run, or lets the step open something, is not used, and what was open is named.
 */
export async function probeLevel(runtime: Runtime): Promise<{ runtime?: Runtime; problem?: string }> {
  const first = await runProbe(runtime);
  if (first === undefined) return { runtime };
  // The cause may be the control groups.
  if (runtime.groups === undefined) return { problem: first };
  const without = { ...runtime, groups: undefined };
  return (await runProbe(without)) === undefined ? { runtime: without } : { problem: first };
}

/** Prints what can be opened. */
const probeScript = shellProgram("probe-paths");

const probeTimeoutMs = 10_000;
/** Each probe is a separate attempt: leftovers of a failed one may still be in removal. */
let probeCount = 0;

async function runProbe(runtime: Runtime): Promise<string | undefined> {
  const lines: string[] = [];
  const take: TakeLines = ({ text }) => void lines.push(...text.toString().split("\n"));
  const { status, message } = await runAttempt(runtime, probeJob(runtime), take).done;
  if (status !== "succeeded") return [message, ...lines].join("; ");
  const open = lines.flatMap((line) => /^open (\/.*)$/.exec(line)?.[1] ?? []);
  if (open.length > 0) return `a step could open ${open.join(" and ")}`;
  return lines.includes("probed") ? undefined : `the trial did not finish: ${lines.join("; ")}`;
}

function probeJob(runtime: Runtime): Job {
  const { level, scratch } = runtime;
  // Without a sandbox nothing is guaranteed: a step may do what the service may.
  const paths = level.name === "none" ? [] : privatePlaces(runtime);
  return {
    teamId: "probe",
    runId: "probe",
    taskRunId: `probe-${probeCount++}`,
    attempt: 1,
    lostAttempts: 0,
    name: "probe",
    steps: [{ name: "probe", command: ["/bin/sh", "-c", probeScript, "probe", ...paths] }],
    params: [],
    results: [],
    secrets: [],
    workspaces: [
      {
        name: "probe",
        scope: "workflowrun",
        ownerId: "probe",
        source: join(scratch.folder, "probe-workspace"),
        mountPath: "/workspace/probe",
        readOnly: false,
        sizeLimitBytes: 1_048_576,
      },
    ],
    network: "none",
    limits: { memoryBytes: 268_435_456, processes: 64, outputBytes: 65_536, resultBytes: 1_024 },
    timeoutMs: probeTimeoutMs,
    debug: false,
  };
}

/** What no step may open: the service's own files, the folders of other attempts, and the service's own processes. */
function privatePlaces({ level, scratch, settings, spawner }: Runtime): string[] {
  // In a separate process namespace the same number is another process.
  const processes = level.hasOwnProcesses ? [] : [process.pid, ...(spawner.pid === undefined ? [] : [spawner.pid])];
  const ofProcess = processes.flatMap((pid) => ["environ", "fd", "cwd", "root"].map((name) => `/proc/${pid}/${name}`));
  return [...(settings.privatePaths ?? []), settings.scratchDir, scratch.attempts, scratch.pipes, ...ofProcess];
}
