import type { BatchV1Api, ConfigurationOptions, CoreV1Api, KubeConfig } from "@kubernetes/client-node";
import { StartError } from "../../base/error/start-error.ts";
import type { KubernetesExecutorSettings } from "./settings.ts";

type Library = typeof import("@kubernetes/client-node");

/** The connection to a cluster. */
export interface Cluster {
  library: Library;
  config: KubeConfig;
  /** The same for streams: a connection that is not established in time is given up, and nothing is compressed. */
  streaming: KubeConfig;
  core: CoreV1Api;
  batch: BatchV1Api;
  namespace: string;
  /** Options of a call whose body is a merge patch. */
  mergePatch: ConfigurationOptions;
  /**
   * Options of a list that returns objects without their content: all Secrets of all attempts together may be more than a process has
   * memory for.
   */
  metadataOnly: ConfigurationOptions;
  close(): void;
}

/** The timeout of a call. */
const callTimeoutMs = 15_000;
/** Short, because a retry helps: sometimes the agent of a node accepts a connection and never responds. */
const connectTimeoutMs = 3_000;

/** Does not contact the cluster yet. @throws StartError if the settings are unusable */
export async function openCluster(settings: Pick<KubernetesExecutorSettings, "configPath" | "namespace">): Promise<Cluster> {
  // Takes 0.4 s to load, so it is loaded only if it is used.
  const library = await import("@kubernetes/client-node");
  const config = loadConfig(library, settings.configPath);
  const server = config.getCurrentCluster()?.server;
  if (!server) throw new StartError(`the kubeconfig ${settings.configPath ?? ""} names no cluster in its current context`);
  const { middleware, close } = shareConnections();
  const configuration = library.createConfiguration({
    baseServer: new library.ServerConfiguration(server, {}),
    authMethods: { default: config },
    promiseMiddleware: [middleware],
  });
  return {
    library,
    config,
    streaming: forStreams(config),
    core: new library.CoreV1Api(configuration),
    batch: new library.BatchV1Api(configuration),
    namespace: settings.namespace ?? config.getContextObject(config.getCurrentContext())?.namespace ?? "default",
    mergePatch: library.setHeaderOptions("Content-Type", library.PatchStrategy.MergePatch),
    metadataOnly: library.setHeaderOptions("Accept", "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"),
    close,
  };
}

/** The library's default when it finds no configuration: no cluster is there. */
const nowhere = "http://localhost:8080";

function loadConfig(library: Library, path: string | undefined): KubeConfig {
  const config = new library.KubeConfig();
  try {
    if (path !== undefined) config.loadFromFile(path);
    else config.loadFromDefault();
  } catch (error) {
    throw new StartError(`the kubeconfig ${path ?? "of this user"} can't be read: ${(error as Error).message}`, { cause: error });
  }
  if (path === undefined && config.getCurrentCluster()?.server === nowhere)
    throw new StartError(
      "there is no kubeconfig and no service account: set MILLRACE_KUBERNETES_CONFIG, or remove kubernetes from MILLRACE_EXECUTORS",
    );
  return config;
}

interface Agent {
  options?: Record<string, unknown>;
  constructor: new (options: Record<string, unknown>) => Agent & { destroy(): void };
}

/**
 * The library creates an agent for each call, and so a new TLS connection. Here, equal agents are replaced by a shared one that keeps its
 * connections alive; and every call gets a timeout.
 */
function shareConnections() {
  const shared = new Map<string, Agent & { destroy(): void }>();
  return {
    middleware: {
      pre: async <T>(context: T): Promise<T> => {
        const request = context as unknown as { getAgent(): Agent; setAgent(agent: unknown): void; setSignal(signal: AbortSignal): void };
        request.setSignal(AbortSignal.timeout(callTimeoutMs));
        request.setAgent(sharedAgent(shared, request.getAgent()));
        return context;
      },
      post: async <T>(context: T): Promise<T> => context,
    },
    close: () => {
      for (const agent of shared.values()) agent.destroy();
    },
  };
}

function sharedAgent(shared: Map<string, Agent & { destroy(): void }>, agent: Agent): Agent {
  if (agent.constructor.name !== "Agent") return agent;
  const key = JSON.stringify(agent.options);
  const known = shared.get(key);
  if (known) return known;
  const made = new agent.constructor({ ...agent.options, keepAlive: true, maxSockets: 32 });
  shared.set(key, made);
  return made;
}

function forStreams(config: KubeConfig): KubeConfig {
  const streaming = Object.create(config) as KubeConfig;
  streaming.applyToHTTPSOptions = async (options) => {
    await config.applyToHTTPSOptions(options);
    Object.assign(options, { handshakeTimeout: connectTimeoutMs, perMessageDeflate: false });
  };
  return streaming;
}
