import type { IdentityPool } from "../folders/identity.ts";
import type { WorkspaceSizes } from "../folders/watched-folders.ts";
import type { MachineWatch } from "../machine/machine-watch.ts";
import type { TeamAttempts } from "../steps/team-shares.ts";
import type { AttemptFolders } from "./attempt-folders.ts";
import type { AttemptRoot } from "./attempt-root.ts";
import type { EngineWatch } from "./engine/engine-watch.ts";
import type { Gate } from "./gate.ts";
import type { ImageHazards } from "./images/image-hazards.ts";
import type { Images } from "./images/images.ts";
import type { Leftovers } from "./leftovers.ts";
import type { ContainerExecutorSettings } from "./settings.ts";

/** What all attempts of one executor share. */
export interface Runtime {
  settings: ContainerExecutorSettings;
  root: AttemptRoot;
  watch: EngineWatch;
  images: Images;
  hazards: ImageHazards;
  folders: AttemptFolders;
  leftovers: Leftovers;
  /** Containers are started a few at a time: more at once only slow down each of them, and the engine's other responses. */
  starting: Gate;
  /** Undefined if the service is not root. */
  identities: IdentityPool | undefined;
  workspaceSizes: WorkspaceSizes;
  machine: MachineWatch;
  teamAttempts: TeamAttempts;
  host: string;
}
