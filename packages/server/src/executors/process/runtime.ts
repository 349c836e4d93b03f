import type { IdentityPool } from "../folders/identity.ts";
import type { WorkspaceSizes } from "../folders/watched-folders.ts";
import type { MachineWatch } from "../machine/machine-watch.ts";
import type { EgressProxy } from "../networks/egress-proxy.ts";
import type { TeamAttempts } from "../steps/team-shares.ts";
import type { SandboxesAhead } from "./ahead/sandboxes-ahead.ts";
import type { AttemptSlots } from "./attempt-slots.ts";
import type { ControlGroups } from "./control-groups/control-groups.ts";
import type { Level } from "./isolation/level.ts";
import type { MemoryGuard } from "./memory/memory-guard.ts";
import type { OutputPipes } from "./output-pipes.ts";
import type { ScratchRoot } from "./scratch-root.ts";
import type { ProcessExecutorSettings } from "./settings.ts";
import type { Spawner } from "./spawner.ts";

/** What all attempts of one executor share. */
export interface Runtime {
  settings: ProcessExecutorSettings;
  level: Level;
  scratch: ScratchRoot;
  slots: AttemptSlots;
  pipes: OutputPipes;
  spawner: Spawner;
  /** Undefined if the machine has none, or we may not use them. */
  groups: ControlGroups | undefined;
  /** Undefined if the service is not root. */
  identities: IdentityPool | undefined;
  /** For steps with the network `outbound`. */
  proxy: EgressProxy;
  workspaceSizes: WorkspaceSizes;
  machine: MachineWatch;
  /** For attempts whose memory no control group limits. */
  memoryGuard: MemoryGuard;
  /** Undefined where none can be made. */
  ahead?: SandboxesAhead | undefined;
  teamAttempts: TeamAttempts;
  host: string;
}
