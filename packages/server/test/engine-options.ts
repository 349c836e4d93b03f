export type EngineKind = "docker" | "podman";

export interface EngineOptions {
  /** Docker: containers go on while the daemon is away, as Podman's always do. */
  isLiveRestore?: boolean;
  /** Bytes that images and containers may take together: a small disk. */
  diskBytes?: number;
}
