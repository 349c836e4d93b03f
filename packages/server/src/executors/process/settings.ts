import type { Log } from "../../base/process/log.ts";
import type { OutboundPolicy } from "../networks/outbound-policy.ts";
import type { KeptLimits } from "./kept/kept-limits.ts";

export interface ProcessExecutorSettings {
  /** Absolute folder for what steps write outside their workspaces; made when missing. What a dead process left in it is removed. */
  scratchDir: string;
  /** Parent of the folders of workspaces, which may be on a disk of its own. */
  workspacesDir?: string;
  /** Pause between two looks at the machine, in ms; 2 s by default. */
  lookEveryMs?: number;
  /** Whether steps may run without any sandbox when nothing better works on this machine; `one-person`: until `forbidUnsandboxed`. */
  allowUnsandboxed: boolean | "one-person";
  /** Whether steps may run where nothing keeps them from the network of the machine; the same. */
  allowSharedNetwork: boolean | "one-person";
  /** Time between TERM and KILL when an attempt reaches its deadline or a limit, in ms. */
  graceMs: number;
  /** The Node that steps find as `$NODE`; the one that runs this process by default. */
  nodeBinary?: string;
  /** Folder of bundled step programs; steps find it by `$(context.programs.path)`, and can't change it. */
  programsDir?: string;
  /**
   * Folders and files of the service that no step may open, beside `scratchDir`: data, keys, credentials. Levels that let one be
   * opened are not used.
   */
  privatePaths?: readonly string[];
  /** Where the product itself is installed: not shown on levels with files of their own. */
  installDir?: string;
  /** What steps with the network `outbound` reach; what is shipped by default. */
  outbound?: OutboundPolicy;
  log: Pick<Log, "info" | "warn">;
  /** Levels to try, best first; all by default. */
  levels?: readonly LevelName[];
  /** How many sandboxes of functions are kept for their next job, and for how long; what is not said is as usual. */
  kept?: Partial<KeptLimits>;
  /** Limit of what one attempt may keep in its scratch folder, in bytes; 1 GiB by default. */
  scratchBytes?: number;
}

/** From the best to none; docs/sandbox.md says what each holds. */
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
