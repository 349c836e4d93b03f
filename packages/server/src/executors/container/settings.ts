import type { Log } from "../../base/process/log.ts";
import type { ImageRules } from "../images/image-rules.ts";
import type { OutboundSettings } from "./network/outbound-network.ts";

export interface ContainerExecutorSettings {
  /**
   * Absolute folder for what steps write outside of their workspaces; created if missing. The engine must see it, and the folders of
   * workspaces, at the same path. Services that share it are one installation: each cleans up after others that have died.
   */
  scratchDir: string;
  /** Parent of the folders of workspaces, which may be on a separate disk. */
  workspacesDir?: string;
  /** Addresses at which to look for an engine, in this order: `unix:///path`, `tcp://host:port` or `https://host:port`. */
  addresses: readonly string[];
  /** Absolute path of a Docker `config.json` with `auths`: the credentials for pulling images. */
  registriesPath?: string;
  /** What tasks with the network `outbound` can reach. */
  outbound: OutboundSettings;
  /** Where images may come from. */
  imageRules: ImageRules;
  /** Time between TERM and KILL when an attempt reaches its deadline or a limit, in ms. */
  graceMs: number;
  log: Pick<Log, "info" | "warn">;
  /** Limit of what one attempt may store in its scratch folder, in bytes; 1 GiB by default. */
  scratchBytes?: number;
  /** How long the engine may be unreachable before attempts are given up, in ms; a minute by default. */
  outageMs?: number;
  /** How long a registry may not respond before an image counts as unavailable, in ms; 20 s by default. */
  registryMs?: number;
  /** How long a sidecar may take to become ready, in ms; five minutes by default. */
  sidecarReadyMs?: number;
  /** How long the container of a dead worker is kept for the attempt that takes it over, in ms; ten minutes by default. */
  adoptionMs?: number;
  /** Pause between two checks for an unreachable engine, and for leftovers of dead workers, in ms; 5 s and 30 s by default. */
  lookEveryMs?: { engine: number; leftovers: number; machine?: number };
}

export const defaultOutageMs = 60_000;
/** Longer than any working registry takes, and shorter than engines wait by themselves. */
export const defaultRegistryMs = 20_000;
export const defaultAdoptionMs = 600_000;
export const defaultLookEveryMs = { engine: 5_000, leftovers: 30_000 };
