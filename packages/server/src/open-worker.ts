import { randomBytes } from "node:crypto";
import { homedir, hostname } from "node:os";
import { join } from "node:path";
import { openWorkspaceStore } from "./archives/open-workspace-store.ts";
import { repositoryRoot } from "./base/file/repository-root.ts";
import type { Log } from "./base/process/log.ts";
import type { Service } from "./base/process/service.ts";
import { shortHash } from "./base/text/short-hash.ts";
import type { Config } from "./config/read-config.ts";
import { findTokenSource } from "./domain/integration/find-token-source.ts";
import { createKnownRuns } from "./domain/run/attempt-scope.ts";
import type { RunContext } from "./domain/run/run-context.ts";
import { AttemptCompleter } from "./engine/attempt-finisher.ts";
import type { Job } from "./engine/executor.ts";
import { ExecutorSet } from "./engine/executor-set.ts";
import { archivedWorkspaces, folderWorkspaces, openFolderPlace } from "./engine/folder-workspaces.ts";
import { type GiveCodehostToken, prepareJobs } from "./engine/prepare-jobs.ts";
import type { RunDriver } from "./engine/run-driver.ts";
import type { WorkerFolder } from "./engine/worker.ts";
import { WorkspaceArchiver } from "./engine/workspace-archiver.ts";
import type { WorkspaceStore } from "./engine/workspace-store.ts";
import { usualAddresses } from "./executors/container/engine/engine-address.ts";
import type { ContainerExecutorSettings } from "./executors/container/settings.ts";
import type { KubernetesExecutorSettings } from "./executors/kubernetes/settings.ts";
import type { OutboundPolicy } from "./executors/networks/outbound-policy.ts";
import type { OpenExecutor } from "./executors/open-executor.ts";
import type { KeptLimits } from "./executors/process/kept/kept-limits.ts";
import { closeExecutors, type ExecutorSettings, openExecutors } from "./executors/registry.ts";
import type { CodehostClients } from "./integrations/codehost/codehost-client.ts";
import { type Listening, openOutbound, trustedOwnAddresses } from "./open-outbound.ts";
import type { Store } from "./open-store.ts";
import { createHeartbeats, findHeartbeatProgram } from "./services/heartbeat.ts";
import { WorkerService } from "./services/worker-service.ts";
import { createWorkspaceCleanupService } from "./services/workspace-cleanup-service.ts";
import { createWorkspaceArchiveService, createWorkspaceFolderService } from "./services/workspace-services.ts";
import { hasSecondPerson } from "./store/identity/users.ts";
import { getInstanceCreationTime } from "./store/settings/instance.ts";

/** The part of a process that runs tasks: its executors, and the services around them. */

export interface OpenWorker {
  /** Preferred ones first. */
  executors: readonly OpenExecutor[];
  /** Not started yet. */
  services: Service[];
  /** From now on, nothing runs that is allowed only while a single person uses the service. */
  endOnePerson(): void;
  /** Called when the services are stopped. */
  close(): Promise<void>;
}

/** What the worker shares with the rest of the process. */
export interface WorkerEnvironment {
  config: Config;
  log: Log;
  store: Store;
  runs: RunContext;
  driver: RunDriver;
  codehost: CodehostClients;
  listening: Listening;
}

const megabyte = 1024 * 1024;
const jobLimits: Job["limits"] = { memoryBytes: 2048 * megabyte, processes: 512, outputBytes: 64 * megabyte, resultBytes: megabyte };

/** @throws StartError for settings that can never work; an executor that is off for now is no error */
export async function openWorker(environment: WorkerEnvironment): Promise<OpenWorker> {
  const { config, log, store } = environment;
  const instance = shortHash(["instance", (await store.patience.keepTrying(() => getInstanceCreationTime(store.sql))).toISOString()]);
  warnOfTrustedRange(config, log);
  const isOnePerson = isForOnePerson(config) && !(await store.patience.keepTrying(() => hasSecondPerson(store.sql)));
  const executors = await openExecutors(executorSettings(environment, instance, isOnePerson));
  const endOnePerson = () => {
    for (const executor of executors) executor.forbidUnsandboxed?.();
  };
  // Only what runs without something that keeps people apart has to know how many there are.
  const refuseForOthers = async () => {
    const isForOne = executors.some((executor) => executor.onePersonNotice?.() !== undefined);
    if (isForOne && (await hasSecondPerson(store.sql))) endOnePerson();
  };
  const set = new ExecutorSet(executors);
  const workspaceStore = config.workspaceStore && (await openWorkspaceStore(config.workspaceStore));
  const openFolder = () => openWorkerFolder(environment, workspaceStore);
  const folder = await openFolderNow(openFolder, log);
  const saveMissing = async () => folder.archiver?.saveMissing();
  return {
    executors,
    endOnePerson,
    services: [
      makeWorker(environment, set, folder, isOnePerson ? refuseForOthers : undefined),
      ...(folder.place ? [] : [createWorkspaceFolderService(folder, openFolder, log)]),
      createWorkspaceCleanupService(
        store.sql,
        [folderWorkspaces(workspacesDir(config), log), ...(workspaceStore ? [archivedWorkspaces(workspaceStore)] : []), ...set.keepers],
        log,
      ),
      ...(workspaceStore ? [createWorkspaceArchiveService({ saveMissing }, log)] : []),
    ],
    close: () => closeExecutors(executors),
  };
}

/** Only this machine can reach it, and nobody but the administrator can sign in, by proxy or provider. */
export function isForOnePerson({ isLoopback, database, trustedProxy, oidcIssuer, auth }: Config): boolean {
  return isLoopback && database.kind === "embedded" && trustedProxy.length === 0 && oidcIssuer === undefined && auth !== "off";
}

function warnOfTrustedRange({ trustedProxy, taskPrivateNetworks }: Config, log: Log): void {
  const own = taskPrivateNetworks ? trustedOwnAddresses(trustedProxy) : [];
  if (own.length === 0) return;
  log.warn(
    { addresses: own },
    "MILLRACE_TRUSTED_PROXY holds addresses of this machine, which runs tasks: such a task looks like the proxy to another process of the service. List only the address of the proxy",
  );
}

export function executorSettings(
  { config, log, listening }: Pick<WorkerEnvironment, "config" | "log" | "listening">,
  instance: string,
  isOnePerson: boolean,
): ExecutorSettings {
  const policy = openOutbound(config, listening);
  const forOnePerson = isOnePerson ? "one-person" : false;
  return {
    kinds: config.executors,
    process: {
      scratchDir: join(config.dataDir, "scratch"),
      workspacesDir: workspacesDir(config),
      allowUnsandboxed: config.allowUnsandboxed === "auto" ? forOnePerson : config.allowUnsandboxed === "true",
      allowSharedNetwork: config.allowHostNetwork || forOnePerson,
      outbound: policy,
      graceMs: config.graceSeconds * 1000,
      programsDir: join(repositoryRoot, "dist", "programs"),
      privatePaths: privatePaths(config),
      installDir: repositoryRoot,
      kept: keptLimits(config),
      log,
    },
    container: containerSettings(config, log, policy),
    kubernetes: kubernetesSettings(config, log, instance, policy),
  };
}

function keptLimits({ keptSandboxes, keptSandboxMemory }: Config): Partial<KeptLimits> {
  const mostBytes = keptSandboxMemory * 1_048_576;
  return { most: keptSandboxes, mostBytes, eachBytes: mostBytes / 2 };
}

/** Where credentials usually are in the home of a user. Not the whole home, because that of a system user may be a folder of programs. */
const privateNames = [".aws", ".azure", ".config", ".docker", ".kube", ".netrc", ".npmrc", ".pgpass", ".ssh"];

/** Everything with which a step could spy on or take over the service. */
function privatePaths({ dataDir, encryptionKey, kubernetesConfig, kubernetesPodTemplate, containerRegistries }: Config): string[] {
  const files = ["file" in encryptionKey ? encryptionKey.file : undefined, kubernetesConfig, kubernetesPodTemplate, containerRegistries];
  const named = files.filter((file) => file !== undefined);
  return [dataDir, join(dataDir, "admin-token"), ...named, ...privateNames.map((name) => join(homedir(), name))];
}

function containerSettings(config: Config, log: Log, policy: OutboundPolicy): ContainerExecutorSettings {
  const { containerHost, dockerHost, containerRegistries, imageRegistries, localImages, dataDir, graceSeconds } = config;
  const address = containerHost ?? dockerHost;
  return {
    scratchDir: join(dataDir, "scratch"),
    workspacesDir: workspacesDir(config),
    addresses: address === undefined ? usualAddresses(process.getuid?.() ?? 0) : [address],
    ...(containerRegistries !== undefined && { registriesPath: containerRegistries }),
    imageRules: { registries: imageRegistries, localImages },
    outbound: { policy, allowsHostNetwork: config.allowHostNetwork },
    graceMs: graceSeconds * 1000,
    log,
  };
}

function kubernetesSettings(config: Config, log: Log, instance: string, policy: OutboundPolicy): KubernetesExecutorSettings {
  return {
    instance,
    owner: `${hostname()}-${process.pid}-${randomBytes(4).toString("hex")}`,
    ...(config.kubernetesConfig !== undefined && { configPath: config.kubernetesConfig }),
    ...(config.kubernetesNamespace !== undefined && { namespace: config.kubernetesNamespace }),
    outbound: { policy, allowsHostNetwork: config.allowHostNetwork },
    imageRules: { registries: config.imageRegistries, localImages: config.localImages },
    helperImage: config.kubernetesHelperImage,
    ...(config.kubernetesPodTemplate !== undefined && { podTemplatePath: config.kubernetesPodTemplate }),
    ...(config.kubernetesStorageClass !== undefined && { storageClass: config.kubernetesStorageClass }),
    accessMode: config.kubernetesAccessMode,
    pendingMs: config.kubernetesPendingSeconds * 1000,
    graceMs: config.graceSeconds * 1000,
    log,
  };
}

function makeWorker(
  { config, log, store, runs, driver, codehost }: WorkerEnvironment,
  executors: ExecutorSet,
  folder: WorkerFolder,
  refuseForOthers: (() => Promise<void>) | undefined,
): Service {
  const settings = {
    recent: createKnownRuns(),
    executors,
    workspacesDir: workspacesDir(config),
    limits: jobLimits,
    giveCodehostToken: tokenGiver(store, codehost),
  };
  const program = findHeartbeatProgram(import.meta.url);
  const completer = new AttemptCompleter({ sql: store.sql, context: runs, bus: store.wakes, driver });
  return new WorkerService({
    sql: store.sql,
    bus: store.wakes,
    log,
    executors,
    roles: config.roles,
    slots: config.workerSlots,
    labels: config.workerLabels,
    folder,
    leaseSeconds: config.leaseSeconds,
    startHeartbeat: program && createHeartbeats({ program, address: store.directAddress, leaseSeconds: config.leaseSeconds, log }),
    graceMs: config.graceSeconds * 1000,
    async prepare(claims) {
      await refuseForOthers?.();
      const here = { place: folder.place?.id, hasStore: folder.archiver !== undefined };
      return prepareJobs(store.sql, runs, { ...settings, ...here }, claims);
    },
    complete: (work, next) => completer.complete(work, next),
    claimed: (claims, workerId) => {
      for (const claim of claims) runs.states.claimed(claim, workerId);
    },
  });
}

/** Tokens for tasks: the database says which credentials to use, then the code host is called outside of any transaction. */
function tokenGiver({ sql, keyring }: Store, codehost: CodehostClients): GiveCodehostToken {
  return async (teamId, origin) => {
    const { app, ref, repositoryId } = await findTokenSource(sql, keyring, teamId, origin);
    return (await codehost.of(app).token(ref, repositoryId)).token;
  };
}

/** Without it, the worker runs tasks that need no folder of workspaces. */
async function openFolderNow(open: () => Promise<WorkerFolder>, log: Log): Promise<WorkerFolder> {
  try {
    return await open();
  } catch (error) {
    log.error(
      { err: error },
      "the workspace folder can't be used, so this worker runs no tasks that share a workspace; retrying every 2 seconds",
    );
    return {};
  }
}

async function openWorkerFolder(
  { config, log, store }: WorkerEnvironment,
  workspaceStore: WorkspaceStore | undefined,
): Promise<WorkerFolder> {
  const place = await openFolderPlace(workspacesDir(config));
  if (workspaceStore === undefined) return { place, archiver: undefined };
  const parts = { sql: store.sql, store: workspaceStore, workspacesDir: workspacesDir(config), place: place.id, log };
  const archiver = new WorkspaceArchiver(parts);
  await archiver.open();
  return { place, archiver };
}

export function workspacesDir(config: Config): string {
  return join(config.dataDir, "workspaces");
}
