import type { Log } from "../../base/process/log.ts";
import type { OutboundPolicy } from "../networks/outbound-policy.ts";
import type { KeptLimits } from "./kept/kept-limits.ts";

export interface ProcessExecutorSettings {
  /** Absolute folder for what steps write outside their workspaces; created if missing. What a dead process left in it is removed. */
  scratchDir: string;
  /** Parent of the folders of workspaces, which may be on a separate disk. */
  workspacesDir?: string;
  /** Pause between two checks of the machine, in ms; 2 s by default. */
  lookEveryMs?: number;
  /** Whether steps may run without any sandbox if nothing better works on this machine; `one-person`: until `forbidUnsandboxed`. */
  allowUnsandboxed: boolean | "one-person";
  /** Whether steps may run if the network of the machine can't be blocked for them; same values. */
  allowSharedNetwork: boolean | "one-person";
  /** Time between TERM and KILL when an attempt reaches its deadline or a limit, in ms. */
  graceMs: number;
  /** The Node that steps find as `$NODE`; the one that runs this process by default. */
  nodeBinary?: string;
  /** Folder of bundled step programs; its path for steps is `$(context.programs.path)`, and they can't change it. */
  programsDir?: string;
  /**
   * Folders and files of the service that no step may open, in addition to `scratchDir`: data, keys, credentials. Levels that let a step
   * open one are not used.
   */
  privatePaths?: readonly string[];
  /** Installation folder of the product: not shown on levels with their own files. */
  installDir?: string;
  /** What steps with the network `outbound` can reach; the shipped rule by default. */
  outbound?: OutboundPolicy;
  log: Pick<Log, "info" | "warn">;
  /** Levels to try, best first; all by default. */
  levels?: readonly LevelName[];
  /** How many sandboxes of functions are kept for their next job, and for how long; missing values have their defaults. */
  kept?: Partial<KeptLimits>;
  /** Limit of what one attempt may store in its scratch folder, in bytes; 1 GiB by default. */
  scratchBytes?: number;
}

/** From the best to none; docs/sandbox.md describes what each enforces. */
export const levelNames = [
  "bubblewrap",
  "bubblewrap-as-root",
  "bubblewrap-no-proc",
  "bubblewrap-shared-network",
  "unshare",
  "own-uid",
  "none",
] as const;
export type LevelName = (typeof levelNames)[number];
