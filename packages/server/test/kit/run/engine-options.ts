import type { Tier } from "../suite/test-tier.ts";

export type EngineKind = "docker" | "podman";

export interface EngineOptions {
  /** Docker: containers go on while the daemon is away, as Podman's always do. */
  isLiveRestore?: boolean;
  /** Bytes that images and containers may take together: a small disk. */
  diskBytes?: number;
  /** Podman: it runs as a normal user, as do those who use it. */
  isRootless?: boolean;
}

/** Not every machine that runs Podman as root lets a normal user do it. */
export function engineTier(kind: EngineKind, { isRootless }: EngineOptions): Tier {
  if (kind === "docker") return "container";
  return isRootless ? "podman-rootless" : "podman";
}
