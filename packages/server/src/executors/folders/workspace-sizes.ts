import { BoundedCache } from "../../base/process/bounded-cache.ts";
import type { TreeSize } from "./measure-tree.ts";

const maxRemembered = 10_000;

/** What workspaces held when they were last measured here, by folder: only growth is held against a task. */
export class WorkspaceSizes {
  readonly #sizes = new BoundedCache<TreeSize>("workspace-sizes", { maxEntries: maxRemembered });

  get(folder: string): TreeSize | undefined {
    return this.#sizes.get(folder);
  }

  remember(folder: string, size: TreeSize | undefined): void {
    this.#sizes.delete(folder);
    // What was not counted to the end is not known; the next attempt counts it again.
    if (size === undefined || !size.isComplete || size.isCut) return;
    this.#sizes.set(folder, size);
  }
}
