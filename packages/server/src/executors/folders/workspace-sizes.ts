const maxRemembered = 10_000;

/** Sizes of workspaces as last measured here, in bytes by folder: only growth is held against a task. */
export class WorkspaceSizes {
  readonly #sizes = new Map<string, number>();

  get(folder: string): number | undefined {
    return this.#sizes.get(folder);
  }

  remember(folder: string, bytes: number | undefined): void {
    if (bytes === undefined) return;
    this.#sizes.delete(folder);
    this.#sizes.set(folder, bytes);
    const oldest = this.#sizes.keys().next().value;
    if (this.#sizes.size > maxRemembered && oldest !== undefined) this.#sizes.delete(oldest);
  }
}
