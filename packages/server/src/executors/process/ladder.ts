import { copyFile, cp, lstat, mkdir, mkdtemp, symlink } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import type { Job } from "../../engine/executor.ts";
import type { IdentityPool } from "../folders/identity.ts";
import { WorkspaceSizes } from "../folders/workspace-sizes.ts";
import { createEgressProxy } from "../networks/egress-proxy.ts";
import { createOutboundPolicy, defaultOutbound } from "../networks/outbound-policy.ts";
import { openUidFilter, removeDeadFilters, type UidFilter } from "../networks/uid-filter.ts";
import { AttemptSlots } from "./attempt-slots.ts";
import { bubblewrapVariants, createBubblewrap, type SandboxFiles } from "./bubblewrap.ts";
import type { ControlGroups } from "./control-groups.ts";
import { findInheritedFiles } from "./inherited-files.ts";
import type { Level } from "./level.ts";
import { createOutputPipes } from "./output-pipes.ts";
import { createOwnUid, createUnsandboxed, type PlainFiles } from "./own-uid.ts";
import { readStartTicks } from "./process-table.ts";
import { runAttempt } from "./run-attempt.ts";
import type { Runtime } from "./runtime.ts";
import { isReachableByAnyone, openScratchRoot, type ScratchRoot } from "./scratch-root.ts";
import { type LevelName, levelNames, type ProcessExecutorSettings } from "./settings.ts";
import { copyEtc, findSystemFiles } from "./system-files.ts";
import { createUnshare } from "./unshare.ts";

export interface LadderBase {
  settings: ProcessExecutorSettings;
  scratch: ScratchRoot;
  groups: ControlGroups | undefined;
  identities: IdentityPool | undefined;
}

/** Why a level does not count here. */
export interface Rung {
  name: LevelName;
  problem: string;
}

/** Tries the levels from the best down: the first whose exact command runs `true` is used. */
export async function climbDown(base: LadderBase): Promise<{ runtime: Runtime | undefined; failed: Rung[] }> {
  const failed: Rung[] = [];
  const files = await sandboxFiles(base);
  for (const name of base.settings.levels ?? levelNames) {
    const filter = name === "own-uid" ? await findFilter(base) : undefined;
    const problem = refusal(name, base, filter);
    const runtime = problem === undefined ? await openRuntime(name, base, files, usable(filter)) : undefined;
    const outcome = runtime === undefined ? { problem } : await probe(runtime);
    if (outcome.runtime) return { runtime: outcome.runtime, failed };
    await usable(filter)?.end();
    failed.push({ name, problem: outcome.problem ?? "it did not run" });
  }
  return { runtime: undefined, failed };
}

type FoundFilter = UidFilter | { problem: string } | undefined;

async function findFilter({ settings, identities, scratch }: LadderBase): Promise<FoundFilter> {
  if (identities === undefined) return undefined;
  await removeDeadFilters(async (pid, startTicks) => (await readStartTicks(pid)) === startTicks);
  const identity = identities.take({ teamId: "probe", workspaces: [] });
  try {
    return await openUidFilter(basename(scratch.folder), identity, nodeBinaryOf(settings));
  } finally {
    identities.release(identity);
  }
}

function usable(filter: FoundFilter): UidFilter | undefined {
  return filter === undefined || "problem" in filter ? undefined : filter;
}

function refusal(name: LevelName, { settings, identities }: LadderBase, filter: FoundFilter): string | undefined {
  if (name === "none" && !settings.allowUnsandboxed) return "not allowed here";
  const needsRoot = name === "own-uid" || name === "bubblewrap-as-root";
  if (needsRoot && identities === undefined) return "the service is not root";
  if (!isSharingNetwork(name) || settings.allowSharedNetwork || usable(filter)) return undefined;
  const why = filter === undefined ? "" : ` (${(filter as { problem: string }).problem})`;
  return `it keeps no step from the network of this machine${why}; MILLRACE_ALLOW_HOST_NETWORK=true allows that`;
}

function isSharingNetwork(name: LevelName): boolean {
  return name === "bubblewrap-shared-network" || name === "own-uid" || name === "none";
}

async function sandboxFiles({ settings, scratch }: LadderBase): Promise<SandboxFiles> {
  const [system] = await Promise.all([findSystemFiles(), copyEtc(scratch.etc)]);
  return { system, etc: scratch.etc, nodeBinary: nodeBinaryOf(settings), programsDir: settings.programsDir };
}

function nodeBinaryOf(settings: ProcessExecutorSettings): string {
  return settings.nodeBinary ?? process.execPath;
}

async function openRuntime(name: LevelName, base: LadderBase, files: SandboxFiles, filter: UidFilter | undefined): Promise<Runtime> {
  const { settings, groups, identities } = base;
  const scratch = name === "own-uid" ? await reachableScratch(base.scratch) : base.scratch;
  const level = await createLevel(name, scratch, files, filter);
  const users = name === "none" ? undefined : identities;
  const slots = new AttemptSlots({
    parent: scratch.attempts,
    identities: users,
    isReusable: level.hasOwnFiles,
    onProblem: (error) => settings.log.warn({ err: error }, "the folder of an attempt could not be removed"),
  });
  const pipes = createOutputPipes(scratch.pipes);
  const inherited = findInheritedFiles();
  return {
    settings,
    level,
    scratch,
    slots,
    pipes,
    inherited,
    groups,
    identities: users,
    proxy: createEgressProxy(settings.outbound ?? createOutboundPolicy(defaultOutbound)),
    workspaceSizes: new WorkspaceSizes(),
    host: hostname(),
  };
}

async function createLevel(name: LevelName, scratch: ScratchRoot, files: SandboxFiles, filter: UidFilter | undefined): Promise<Level> {
  const variant = bubblewrapVariants.find((candidate) => candidate.name === name);
  if (variant) return createBubblewrap(variant, files);
  if (name === "unshare") return createUnshare(files, scratch.emptyRoot);
  const plain = await plainFiles(scratch, files, name === "own-uid");
  return name === "own-uid" ? createOwnUid(plain, filter) : createUnsandboxed(plain);
}

/** Without mounts, a user of no rights must be able to walk to what a step needs; what lies in a closed folder is copied. */
async function plainFiles(scratch: ScratchRoot, { nodeBinary, programsDir }: SandboxFiles, mustReach: boolean): Promise<PlainFiles> {
  const node = join(scratch.bin, "node");
  const canReach = async (path: string): Promise<boolean> => !mustReach || (await isReachableByAnyone(dirname(path)));
  if (await canReach(nodeBinary)) await symlink(nodeBinary, node).catch(() => undefined);
  else await copyFile(nodeBinary, node);
  if (programsDir === undefined || (await canReach(join(programsDir, "any")))) return { bin: scratch.bin, programsDir };
  const copy = join(scratch.folder, "programs");
  await cp(programsDir, copy, { recursive: true });
  return { bin: scratch.bin, programsDir: copy };
}

/** The scratch folder, or one in the temporary folder when it lies below a folder that is closed to others. */
async function reachableScratch(scratch: ScratchRoot): Promise<ScratchRoot> {
  if (await isReachableByAnyone(dirname(scratch.folder))) return scratch;
  const wanted = join(tmpdir(), `millrace-scratch-${process.getuid?.() ?? 0}`);
  await mkdir(wanted, { mode: 0o711 }).catch(() => undefined);
  const found = await lstat(wanted);
  // Anybody can make a folder of that name first; then ours gets a name that nobody could know.
  const isOurs = found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0;
  return openScratchRoot(isOurs ? wanted : await mkdtemp(`${wanted}-`));
}

/** Runs `true` as a step would run; when control groups are in the way, it goes without them. */
async function probe(runtime: Runtime): Promise<{ runtime?: Runtime; problem?: string }> {
  const first = await runTrue(runtime);
  if (first === undefined) return { runtime };
  if (runtime.groups === undefined) return { problem: first };
  const without = { ...runtime, groups: undefined };
  return (await runTrue(without)) === undefined ? { runtime: without } : { problem: first };
}

const probeTimeoutMs = 10_000;
/** Each probe is an attempt of its own: what is left of one that failed may still be on its way out. */
let probeCount = 0;

async function runTrue(runtime: Runtime): Promise<string | undefined> {
  const lines: string[] = [];
  const { status, message } = await runAttempt(
    runtime,
    { ...probeJob, taskRunId: `probe-${probeCount++}` },
    ({ text }) => void lines.push(text.toString()),
  ).done;
  return status === "succeeded" ? undefined : [message, ...lines].join("; ");
}

const probeJob: Job = {
  teamId: "probe",
  runId: "probe",
  taskRunId: "probe",
  attempt: 1,
  lostAttempts: 0,
  name: "probe",
  steps: [{ name: "probe", command: ["true"] }],
  params: [],
  results: [],
  secrets: [],
  workspaces: [],
  network: "none",
  limits: { memoryBytes: 268_435_456, processes: 64, outputBytes: 65_536, resultBytes: 1_024 },
  timeoutMs: probeTimeoutMs,
  debug: false,
};
