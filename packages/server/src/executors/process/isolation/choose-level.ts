import { constants } from "node:fs";
import { access, copyFile, cp, lstat, mkdir, mkdtemp, readFile, symlink } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import type { IdentityPool } from "../../folders/identity.ts";
import { runTool } from "../../folders/run-tool.ts";
import { WorkspaceSizes } from "../../folders/watched-folders.ts";
import { neededSpace, sparse } from "../../machine/disk-space.ts";
import type { MachineWatch } from "../../machine/machine-watch.ts";
import { createEgressProxy } from "../../networks/egress-proxy.ts";
import { createOutboundPolicy, defaultOutbound } from "../../networks/outbound-policy.ts";
import { openUidFilter, removeDeadFilters, type UidFilter } from "../../networks/uid-filter.ts";
import { TeamAttempts } from "../../steps/team-shares.ts";
import { AttemptSlots } from "../attempt-slots.ts";
import { writeCallFilter } from "../call-filter/call-filter.ts";
import type { ControlGroups } from "../control-groups/control-groups.ts";
import { endProcessesOfUsers } from "../end-users.ts";
import { MemoryGuard } from "../memory/memory-guard.ts";
import { createOutputPipes } from "../output-pipes.ts";
import { readStartTicks } from "../process-table.ts";
import type { Runtime } from "../runtime.ts";
import { isReachableByAnyone, openScratchRoot, type ScratchRoot } from "../scratch-root.ts";
import { type LevelName, levelNames, type ProcessExecutorSettings } from "../settings.ts";
import type { Spawner } from "../spawner.ts";
import { bubblewrapVariants, canWriteSettings, createBubblewrap, type SandboxFiles } from "./bubblewrap.ts";
import { coverPrivatePaths } from "./covers.ts";
import { findLauncherProgram, inFreshSession, writeFreshSession } from "./launcher.ts";
import type { Level } from "./level.ts";
import { findNamespaceLock, type NamespaceLock } from "./namespace-lock.ts";
import { createOwnUid, createUnsandboxed, dropTo, type PlainFiles } from "./own-uid.ts";
import { probeLevel } from "./probe.ts";
import { findSeclusion } from "./seclusion.ts";
import { copyEtc, findSystemFiles } from "./system-files.ts";
import { findTools } from "./tools.ts";
import { createUnshare } from "./unshare.ts";

interface LevelChoice {
  settings: ProcessExecutorSettings;
  scratch: ScratchRoot;
  groups: ControlGroups | undefined;
  identities: IdentityPool | undefined;
  machine: MachineWatch;
  spawner: Spawner;
}

/** Why a level can't be used here. */
export interface FailedLevel {
  name: LevelName;
  problem: string;
}

/** Tries the levels from the best down: uses the first one that runs a step and keeps it away from the service's own files. */
export async function chooseLevel(base: LevelChoice): Promise<{ runtime: Runtime | undefined; failed: FailedLevel[] }> {
  const failed: FailedLevel[] = [];
  const files = await sandboxFiles(base);
  for (const name of base.settings.levels ?? levelNames) {
    const filter = name === "own-uid" ? await findFilter(base) : undefined;
    const problem = refusal(name, base, filter);
    const runtime = problem === undefined ? await openRuntime(name, base, files, usable(filter)) : undefined;
    const outcome = runtime === undefined ? { problem } : await probeLevel(runtime);
    if (outcome.runtime) return { runtime: outcome.runtime, failed };
    runtime?.level.close?.();
    await usable(filter)?.end();
    failed.push({ name, problem: outcome.problem ?? "it did not run" });
  }
  return { runtime: undefined, failed };
}

type FoundFilter = UidFilter | { problem: string } | undefined;

async function findFilter({ settings, identities, scratch }: LevelChoice): Promise<FoundFilter> {
  if (identities === undefined) return undefined;
  const isAlive = async (pid: number, startTicks: number): Promise<boolean> => (await readStartTicks(pid)) === startTicks;
  await removeDeadFilters({ isAlive, endProcesses: endProcessesOfUsers });
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

function refusal(name: LevelName, { settings, identities }: LevelChoice, filter: FoundFilter): string | undefined {
  if (name === "none" && !settings.allowUnsandboxed) return "not allowed here";
  const needsRoot = name === "own-uid" || name === "bubblewrap-as-root";
  if (needsRoot && identities === undefined) return "the service is not root";
  if (!isSharingNetwork(name) || settings.allowSharedNetwork || usable(filter)) return undefined;
  const why = filter === undefined ? "" : ` (${(filter as { problem: string }).problem})`;
  return `it does not block the network of this machine${why}; MILLRACE_ALLOW_HOST_NETWORK=true allows that`;
}

function isSharingNetwork(name: LevelName): boolean {
  return name === "bubblewrap-shared-network" || name === "own-uid" || name === "none";
}

async function sandboxFiles({ settings, scratch }: LevelChoice): Promise<SandboxFiles> {
  const [all, callFilter] = await Promise.all([findSystemFiles(), writeCallFilter(scratch.folder), copyEtc(scratch.etc)]);
  const tools = findTools();
  const { system, covers } = await coverPrivatePaths(all, [
    ...(settings.privatePaths ?? []),
    settings.scratchDir,
    ...(settings.installDir === undefined ? [] : [settings.installDir]),
  ]);
  const takesDescriptors = (await runTool(tools.bwrap, ["--help"])).stdout.includes("--bind-fd ");
  const mountInfo = await readFile("/proc/self/mountinfo", "utf8").catch(() => "");
  const { programsDir } = settings;
  const nodeBinary = nodeBinaryOf(settings);
  const shared = { tools, takesDescriptors, canWriteSettings: canWriteSettings(mountInfo) };
  return { system, covers, ...shared, callFilter, etc: scratch.etc, nodeBinary, programsDir };
}

function nodeBinaryOf(settings: ProcessExecutorSettings): string {
  return settings.nodeBinary ?? process.execPath;
}

async function openRuntime(name: LevelName, base: LevelChoice, files: SandboxFiles, filter: UidFilter | undefined): Promise<Runtime> {
  const { settings, groups, identities, machine, spawner } = base;
  const scratch = name === "own-uid" ? await reachableScratch(base) : base.scratch;
  const level = inFreshSession(await createLevel(name, scratch, files, { filter, identities }), await writeFreshSession(scratch.folder));
  const users = name === "none" ? undefined : identities;
  const slots = new AttemptSlots({
    parent: scratch.attempts,
    identities: users,
    level,
    launcher: await findLauncherProgram(scratch.folder),
    cleanUp: level.cleanUp,
    onProblem: (error) => settings.log.warn({ err: error }, "the folder of an attempt could not be removed"),
  });
  const pipes = createOutputPipes(scratch.pipes);
  const workspaces = settings.workspacesDir === undefined ? [] : [neededSpace(settings.workspacesDir)];
  machine.needs([neededSpace(scratch.attempts), sparse(scratch.pipes), ...workspaces]);
  return {
    settings,
    level,
    scratch,
    slots,
    pipes,
    spawner,
    groups,
    identities: users,
    proxy: createEgressProxy(settings.outbound ?? createOutboundPolicy(defaultOutbound)),
    workspaceSizes: new WorkspaceSizes(),
    machine,
    teamAttempts: new TeamAttempts(),
    memoryGuard: new MemoryGuard(),
    host: hostname(),
  };
}

async function createLevel(
  name: LevelName,
  scratch: ScratchRoot,
  files: SandboxFiles,
  { filter, identities }: { filter: UidFilter | undefined; identities: IdentityPool | undefined },
): Promise<Level> {
  const variant = bubblewrapVariants.find((candidate) => candidate.name === name);
  if (variant) return createBubblewrap(variant, files);
  if (name === "unshare") return createUnshare(files, scratch.emptyRoot, await findLock(files, identities));
  const plain = await plainFiles(scratch, files, name === "own-uid");
  if (name === "none") return createUnsandboxed(plain);
  return createOwnUid(plain, {
    filter,
    lock: await findLock(files, identities),
    seclusion: await findSeclusion(files.tools, scratch.emptyRoot),
    scratchFolder: scratch.folder,
  });
}

async function findLock({ tools }: SandboxFiles, identities: IdentityPool | undefined): Promise<NamespaceLock | undefined> {
  if (identities === undefined) return undefined;
  const identity = identities.take({ teamId: "probe", workspaces: [] });
  try {
    return await findNamespaceLock(tools, dropTo(tools, identity), identity);
  } finally {
    identities.release(identity);
  }
}

/** Without mounts, a user without rights must be able to reach the files that a step needs; those in a closed folder are copied. */
async function plainFiles(scratch: ScratchRoot, { nodeBinary, programsDir, tools }: SandboxFiles, mustReach: boolean): Promise<PlainFiles> {
  const node = join(scratch.bin, "node");
  const canReach = async (path: string): Promise<boolean> => !mustReach || (await isReachableByAnyone(dirname(path)));
  if (await canReach(nodeBinary)) await symlink(nodeBinary, node).catch(() => undefined);
  else await copyFile(nodeBinary, node);
  if (programsDir === undefined || (await canReach(join(programsDir, "any")))) return { bin: scratch.bin, programsDir, tools };
  const copy = join(scratch.folder, "programs");
  await cp(programsDir, copy, { recursive: true });
  return { bin: scratch.bin, programsDir: copy, tools };
}

const cacheFolder = "/var/cache";

async function isWritable(folder: string): Promise<boolean> {
  const canWrite = await access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );
  return canWrite && (await isReachableByAnyone(folder));
}

/** The scratch folder, or one of the system if that is below a folder that is closed to others. */
async function reachableScratch({ scratch, settings }: LevelChoice): Promise<ScratchRoot> {
  if (await isReachableByAnyone(dirname(scratch.folder))) return scratch;
  // Preferably not in the folder for temporary files: steps then have their own one at that path.
  const parent = (await isWritable(cacheFolder)) ? cacheFolder : tmpdir();
  const wanted = join(parent, `millrace-scratch-${process.getuid?.() ?? 0}`);
  await mkdir(wanted, { mode: 0o711 }).catch(() => undefined);
  const found = await lstat(wanted);
  // Anyone can create a folder with that name first; then ours gets a name that can't be guessed.
  const isOurs = found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0;
  return openScratchRoot(isOurs ? wanted : await mkdtemp(`${wanted}-`), (error) =>
    settings.log.warn({ err: error }, "a scratch folder could not be removed"),
  );
}
