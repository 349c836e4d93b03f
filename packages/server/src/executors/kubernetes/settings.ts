import type { Log } from "../../base/process/log.ts";
import type { ImageRules } from "../images/image-rules.ts";
import type { OutboundPolicy } from "../networks/outbound-policy.ts";

export interface KubernetesExecutorSettings {
  /** Identifies this installation: several may share a namespace. */
  instance: string;
  /** Identifies this process: it owns the Jobs that it started or took over. */
  owner: string;
  /** Absolute path of a kubeconfig; undefined: the service account of the pod if this runs in one, otherwise the default file. */
  configPath?: string;
  /** Undefined: that of the service account or of the kubeconfig's context. */
  namespace?: string;
  /** What tasks with the network `outbound` can reach. */
  outbound: { policy: Pick<OutboundPolicy, "facts" | "resolve">; allowsHostNetwork: boolean };
  /** Where images of steps may come from. */
  imageRules: ImageRules;
  /** Image with a static busybox as its shell. */
  helperImage: string;
  helperPullPolicy?: "Always" | "IfNotPresent" | "Never";
  /** Absolute path of a partial PodSpec, YAML or JSON. */
  podTemplatePath?: string;
  /** For the volumes of workspaces; undefined: the default of the cluster. */
  storageClass?: string;
  accessMode: AccessMode;
  /** How long a pod may wait for a quota, a node or an image, in ms. */
  pendingMs: number;
  /** Time between TERM and KILL when an attempt reaches its deadline or a limit, in ms. */
  graceMs: number;
  /** How long a sidecar may take to become ready, in ms; five minutes by default. */
  sidecarReadyMs?: number;
  /** Limit of what one attempt may store in its scratch folder, in bytes; 1 GiB by default. */
  scratchBytes?: number;
  /** How long the API server may be unreachable before attempts are given up, in ms; 5 minutes by default. */
  outageMs?: number;
  /** How long a node may fail to respond before it counts as lost, in ms; 2 minutes by default. */
  nodeLostMs?: number;
  /** How long after its end a Job is kept for a worker that takes it over, in ms; 10 minutes by default. */
  orphanMs?: number;
  log: Pick<Log, "info" | "warn">;
}

export type AccessMode = "ReadWriteOnce" | "ReadWriteMany" | "ReadWriteOncePod";

/** The limit for what the steps of one attempt write outside of its workspaces, unless the executor is configured otherwise. */
export const defaultScratchBytes = 1_073_741_824;
export const defaultOutageMs = 300_000;
export const defaultNodeLostMs = 120_000;
export const defaultOrphanMs = 600_000;
