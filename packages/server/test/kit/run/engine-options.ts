import type { Tier } from "../suite/test-tier.ts";

export type EngineKind = "docker" | "podman";

export interface EngineOptions {
  /** Docker: containers keep running while the daemon is down, as Podman's always do. */
  isLiveRestore?: boolean;
  /** Bytes that images and containers may take together: a small disk. */
  diskBytes?: number;
  /** Podman: it runs as a normal user, and so do its clients. */
  isRootless?: boolean;
}

/** Not every machine that runs Podman as root allows a normal user to run it. */
export function engineTier(kind: EngineKind, { isRootless }: EngineOptions): Tier {
  if (kind === "docker") return "container";
  return isRootless ? "podman-rootless" : "podman";
}
