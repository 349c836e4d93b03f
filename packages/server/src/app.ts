import { existsSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import type { SignInRules } from "./api/endpoint.ts";
import { getMetrics } from "./api/health/get-metrics.ts";
import { getHealth, getReady } from "./api/health/health.ts";
import { openLogArchive } from "./archives/log-archive.ts";
import { StartError } from "./base/error/start-error.ts";
import { repositoryRoot } from "./base/file/repository-root.ts";
import { listenRemedy, localAddress } from "./base/network/listen-address.ts";
import type { Log } from "./base/process/log.ts";
import { startServices } from "./base/process/service.ts";
import { Teardown } from "./base/process/teardown.ts";
import type { Config } from "./config/read-config.ts";
import { type ExternalParts, openExternalParts } from "./domain/external/external-parts.ts";
import { type FirstCredentials, newFirstCredentials, prepareInstance } from "./domain/identity/prepare-instance.ts";
import { sealClearWebhooks } from "./domain/outbound/webhook-target.ts";
import { createRunContext } from "./domain/run/create-run-context.ts";
import type { RunContext } from "./domain/run/run-context.ts";
import { RunDriver } from "./engine/run-driver.ts";
import type { OpenExecutor } from "./executors/open-executor.ts";
import { isForeignRequest } from "./http/admit/local-guard.ts";
import { allowsRunActions } from "./http/admit/standing-rights.ts";
import { buildApp } from "./http/server.ts";
import { CodehostClients } from "./integrations/codehost/codehost-client.ts";
import { createGuardedFetch } from "./integrations/outbound/outbound-http.ts";
import { createOidcProvider } from "./integrations/sign-in/oidc-provider.ts";
import { noticesOf, whyDegraded } from "./notices.ts";
import { openEngine, type Platforms } from "./open-engine.ts";
import type { Listening } from "./open-outbound.ts";
import { openStore, type StartOptions, type Store } from "./open-store.ts";
import { type OpenWorker, openWorker } from "./open-worker.ts";
import { createFolderReader } from "./read-folders.ts";
import { createKeyService } from "./services/key-service.ts";
import { seedCatalog, seedTemplates } from "./services/seed-catalog.ts";
import { type GettingStarted, seedGettingStarted } from "./services/seed-getting-started.ts";
import { engineTaskTypes } from "./tasks/registry.ts";

/**
 * Assembles a process: the store, then the roles that the configuration asks for. Every bus is visible here. What is created here ends in
 * `stop`: requests and services at the same time, within the grace period, then what they use.
 */

export interface Instance {
  store: Store;
  runs: RunContext;
  driver: RunDriver;
  /** `http://HOST:PORT` where this machine can open it; undefined without the role `api`. */
  address: string | undefined;
  /** The same for a process without that role that only serves health checks. */
  healthAddress: string | undefined;
  /** Where this start wrote the first credentials, if it created them. */
  firstCredentials: FirstCredentials | undefined;
  /** The team with sample workflows, if this start created it. */
  sample: GettingStarted | undefined;
  /** One line per executor: how it isolates, or why it is off. */
  executors: string[];
  /** Warnings for the operator before first use. */
  notices: string[];
  /** Why this process can't run tasks, although it should. */
  degraded: string | undefined;
  stop(): Promise<void>;
}

export async function startInstance(config: Config, log: Log, signal?: AbortSignal, options: StartOptions = {}): Promise<Instance> {
  const store = await openStore(config, log, signal, options);
  const teardown = new Teardown(log);
  const { tracing } = options;
  if (tracing) teardown.stage(tracesStopMs).push({ name: "the traces", stop: () => tracing.close() });
  teardown.stage(storeStopMs).push({ name: "the store", stop: () => store.close() });
  const stop = () => teardown.run();
  try {
    const runs = createRunContext({
      keyring: store.keyring,
      publicUrl: publicUrl(config),
      types: engineTaskTypes,
      log,
      tracing,
      allowsHostNetwork: config.allowHostNetwork,
      allowsPrivileged: config.allowPrivileged,
      startsQueuedRuns: config.roles.includes("engine"),
    });
    const platformFetch = createGuardedFetch({ allow: config.outboundAllow, publicUrl: config.publicUrl });
    const codehost = new CodehostClients(platformFetch);
    const logStore = config.logStore && (await openLogArchive(config.logStore));
    const platforms: Platforms = { codehost, platformFetch, ...(logStore && { logStore }) };
    const driver = new RunDriver({ sql: store.sql, context: runs, bus: store.wakes, log });
    const listening: Listening = { port: (config.roles.includes("api") ? config.port : config.healthPort) || undefined };
    const worker = config.roles.includes("worker")
      ? await openWorker({ config, log, store, runs, driver, codehost, listening })
      : undefined;
    if (worker) teardown.stage(executorStopMs).push({ name: "the executors", stop: () => worker.close() });
    const { firstCredentials, sample } = await prepareData(config, store);
    const keys = createKeyService({ sql: store.sql, keyring: store.keyring, source: config.encryptionKey, log });
    const services = [
      keys,
      ...openEngine(config, log, store, runs, driver, { ...platforms, checkRights: allowsRunActions }),
      ...(worker?.services ?? []),
    ];
    // Not ended by the signal: the worker keeps its lease until its tasks have finished, whatever else still has to end.
    await store.patience.keepTrying(() => startServices(services));
    const folder = config.database.kind === "embedded" ? config.database.folder : undefined;
    store.outage.watch({ sql: store.sql, address: store.address, log, folder });
    const busy = teardown.stage(config.graceSeconds * 1000 + drainMarginMs);
    busy.push(...services.map((service) => ({ name: `the service ${service.name}`, stop: () => service.stop() })));
    const isApi = config.roles.includes("api");
    const port = isApi ? config.port : config.healthPort;
    const external = openExternalParts({ sql: store.sql, context: runs, bus: store.wakes, log, advance: (work) => driver.advance(work) });
    const app = port !== undefined ? makeApi(config, log, store, runs, { ...platforms, external }, worker) : undefined;
    if (app) busy.push({ name: "the requests", stop: () => app.close() });
    if (app && worker) endOnePersonWhenForeign(app, worker);
    const opened =
      app && port !== undefined
        ? await listen(app, { host: config.host, port, setting: isApi ? "MILLRACE_PORT" : "MILLRACE_HEALTH_PORT" })
        : undefined;
    if (opened !== undefined) listening.port = Number(new URL(opened).port);
    const [address, healthAddress] = isApi ? [opened, undefined] : [undefined, opened];
    // A port that the system chose is known only now.
    if (address !== undefined && config.publicUrl === undefined) runs.publicUrl = address;
    const executors = (worker?.executors ?? []).map(describeExecutor);
    const notices = noticesOf(worker?.executors).map(({ text }) => text);
    const degraded = whyDegraded(worker?.executors);
    return { store, runs, driver, address, healthAddress, firstCredentials, sample, executors, notices, degraded, stop };
  } catch (error) {
    await stop().catch(() => undefined);
    throw store.patience.explain(error);
  }
}

/** What the database must contain before the first request. */
async function prepareData({ adminToken, dataDir, seed }: Config, { sql, keyring, patience }: Store) {
  const made = newFirstCredentials();
  const firstCredentials = await patience.keepTrying(() => prepareInstance(sql, { adminToken, dataDir }, made));
  await patience.keepTrying(() => seedCatalog(sql));
  await patience.keepTrying(() => seedTemplates(sql, keyring));
  await patience.keepTrying(() => sealClearWebhooks(sql, keyring));
  return { firstCredentials, sample: await patience.keepTrying(() => seedGettingStarted(sql, { isWanted: seed, keyring })) };
}

/** In addition to the grace period, for the last reports of a worker and the last round of each service. */
const drainMarginMs = 7_000;
/** For sending the last spans, if the collector accepts them. */
const tracesStopMs = 3_000;
/** For removing what executors leave on disk. */
const executorStopMs = 10_000;
/** For the embedded server to write its memory to disk. If it is left behind, it ends on its own. */
const storeStopMs = 15_000;

function makeApi(
  config: Config,
  log: Log,
  store: Store,
  runs: RunContext,
  platforms: Platforms & { external: ExternalParts },
  worker: OpenWorker | undefined,
): FastifyInstance {
  const executors = () => (worker?.executors ?? []).map((executor) => ({ kind: executor.kind, ...executor.describe() }));
  const isApi = config.roles.includes("api");
  const isWorkerAlone = config.roles.every((role) => role === "worker");
  return buildApp({
    sql: store.sql,
    keyring: store.keyring,
    log,
    config: {
      auth: config.auth,
      adminToken: config.adminToken,
      bodyLimitBytes: config.bodyLimitBytes,
      publicUrl: config.publicUrl,
      proxy: proxySettings(config),
      drainMs: config.graceSeconds * 1000,
      logsRequests: config.logRequests,
      webFolder: isApi ? builtWebFolder() : undefined,
      docsFolder: isApi ? join(repositoryRoot, "docs") : undefined,
    },
    ...(!isApi && { endpoints: [getHealth, getMetrics, getReady] }),
    services: {
      wake: () => store.wakes.wake("engine"),
      runs,
      ...platforms,
      bus: store.wakes,
      outage: store.outage,
      signIn: signInRules(config),
      executors,
      readFolders: createFolderReader(config),
      // Other processes serve requests or advance runs without an executor.
      ...(isWorkerAlone && { whyNotReady: () => whyDegraded(worker?.executors) }),
      isForOnePerson: () => worker?.executors.some((executor) => executor.onePersonNotice?.() !== undefined) ?? false,
      notices: () => noticesOf(worker?.executors, store.outage.current()),
    },
  });
}

/** Undefined if it was not built: the process was started without `npm start`. */
function builtWebFolder(): string | undefined {
  const folder = join(repositoryRoot, "dist/web");
  return existsSync(join(folder, "index.html")) ? folder : undefined;
}

function proxySettings({ trustedProxy, proxyEmailHeader, proxyNameHeader }: Config) {
  if (trustedProxy.length === 0) return undefined;
  return { addresses: trustedProxy, emailHeader: proxyEmailHeader, nameHeader: proxyNameHeader };
}

function signInRules(config: Config): SignInRules {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret, oidcScopes: scopes } = config;
  const isConfigured = issuer !== undefined && clientId !== undefined;
  return {
    publicUrl: config.publicUrl,
    sessionSeconds: config.sessionHours * 3600,
    idleSeconds: config.sessionIdleMinutes * 60,
    administrators: config.adminEmails,
    emailDomains: config.oidcDomains,
    trustsEmails: config.oidcTrustEmails,
    isProxyOn: config.proxyEmailHeader !== undefined,
    isAuthOff: config.auth === "off",
    identityProvider: isConfigured ? createOidcProvider({ issuer, clientId, clientSecret, scopes }) : undefined,
  };
}

/**
 * Without a sandbox, a script has the rights of the service. This is allowed only while this machine's user is the only one, and never
 * again after another person has signed in.
 */
function endOnePersonWhenForeign(app: FastifyInstance, worker: OpenWorker): void {
  const look = (request: IncomingMessage) => {
    if (!isForeignRequest(request.headers)) return;
    worker.endOnePerson();
    app.server.off("request", look);
  };
  app.server.on("request", look);
}

async function listen(app: FastifyInstance, { host, port, setting }: { host: string; port: number; setting: string }): Promise<string> {
  await app.listen({ host, port }).catch((error: NodeJS.ErrnoException) => {
    throw new StartError(`Cannot listen on ${host}:${port} (${error.code}): ${listenRemedy(error.code, setting)}`, { cause: error });
  });
  const address = app.server.address();
  return localAddress(host, typeof address === "object" && address ? address.port : port);
}

function publicUrl(config: Config): string {
  return config.publicUrl ?? localAddress(config.host, config.port);
}

function describeExecutor(executor: OpenExecutor): string {
  const { available, isolation, detail } = executor.describe();
  return `${executor.kind}: ${available ? `${isolation} (${detail})` : `off: ${detail}`}`;
}
