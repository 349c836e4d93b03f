import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import type { Log } from "./base/log.ts";
import { repositoryRoot } from "./base/repository-root.ts";
import { StartError } from "./base/start-error.ts";
import type { Config } from "./config/read-config.ts";
import { usualAddresses } from "./executors/container/engine-address.ts";
import type { ExecutorSettings } from "./executors/registry.ts";

/** What the executors are told of the configuration. @throws StartError when a file that it names can't be read */
export function executorSettings(config: Config, log: Log): ExecutorSettings {
  const mayDoWithout = config.isLoopback && config.database.kind === "embedded";
  const graceMs = config.graceSeconds * 1000;
  const engine = config.containerHost ?? config.dockerHost;
  return {
    kinds: config.executors,
    process: {
      scratchDir: join(config.dataDir, "scratch"),
      allowUnsandboxed: config.allowUnsandboxed === "true" || (config.allowUnsandboxed === "auto" && mayDoWithout),
      graceMs,
      programsDir: join(repositoryRoot, "dist", "programs"),
      log,
    },
    container: {
      scratchDir: join(config.dataDir, "containers"),
      addresses: engine === undefined ? usualAddresses(process.getuid?.() ?? 0) : [engine],
      ...(config.containerRegistries !== undefined && { registriesPath: config.containerRegistries }),
      graceMs,
      log,
    },
    kubernetes: {
      instance: config.kubernetesInstance,
      owner: `${hostname()}-${process.pid}-${randomBytes(4).toString("hex")}`,
      ...(config.kubernetesConfig !== undefined && { configPath: config.kubernetesConfig }),
      ...(config.kubernetesNamespace !== undefined && { namespace: config.kubernetesNamespace }),
      helperImage: config.kubernetesHelperImage,
      ...(config.kubernetesPodTemplate !== undefined && { podTemplate: readTemplate(config.kubernetesPodTemplate) }),
      ...(config.kubernetesStorageClass !== undefined && { storageClass: config.kubernetesStorageClass }),
      accessMode: config.kubernetesAccessMode,
      pendingMs: config.kubernetesPendingSeconds * 1000,
      graceMs,
      log,
    },
  };
}

function readTemplate(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new StartError(`MILLRACE_KUBERNETES_POD_TEMPLATE: ${(error as Error).message}`);
  }
}
