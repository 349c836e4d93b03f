import type { Job } from "../../engine/executor.ts";
import type { Attempt } from "../folders/attempt-folder.ts";
import type { AttemptFolders } from "./attempt-folders.ts";
import type { AttemptRoot } from "./attempt-root.ts";
import type { EngineWatch } from "./engine/engine-watch.ts";
import { folderOf, labelNames, sidecarOfPlace } from "./labels.ts";
import { type ContainerExecutorSettings, defaultAdoptionMs, defaultLookEveryMs } from "./settings.ts";

/** A container that another worker has started. */
export interface BegunContainer {
  id: string;
  isStarted: boolean;
}

/** A container of this installation that belongs to no attempt of this process. */
interface Leftover {
  id: string;
  /** Undefined: it did not belong to a step; it only probed the engine. */
  folder: string | undefined;
  attempt: number;
  /** Below 0: it holds the network of the steps, or is a sidecar. */
  step: number;
  isStarted: boolean;
  owner: string;
}

/** An attempt that was lost with its worker, at the step whose container still exists. */
export interface Adopted {
  attempt: Attempt;
  /** Number of the lost attempt. */
  number: number;
  /** Index of the step. */
  step: number;
  begun: BegunContainer;
  /** By the index of the sidecar. */
  sidecars: ReadonlyMap<number, BegunContainer>;
}

/**
 * What killed workers left behind. Their containers continue to run, and their folders exist: the next attempt of the task takes over both,
 * in whichever process. It comes when the lease of the dead worker has expired, so leftovers are kept for a while and removed if no attempt
 * took them over. What belongs to a living process is never touched.
 */
export class Leftovers {
  readonly #settings: ContainerExecutorSettings;
  readonly #root: AttemptRoot;
  readonly #watch: EngineWatch;
  readonly #folders: AttemptFolders;
  readonly #timer: NodeJS.Timeout;
  #looking: Promise<void> | undefined;
  readonly #firstSeen = new Map<string, number>();
  readonly #removing = new Set<Promise<unknown>>();

  constructor(settings: ContainerExecutorSettings, root: AttemptRoot, watch: EngineWatch, folders: AttemptFolders) {
    this.#settings = settings;
    this.#root = root;
    this.#watch = watch;
    this.#folders = folders;
    // A check that takes longer than the pause doesn't overlap with a second one.
    const begin = (): void => {
      this.#looking ??= this.look().finally(() => (this.#looking = undefined));
    };
    this.#timer = setInterval(begin, (settings.lookEveryMs ?? defaultLookEveryMs).leftovers);
    this.#timer.unref();
  }

  /** Removes leftovers that have waited too long; never rejects. */
  async look(): Promise<void> {
    try {
      if (this.#watch.problem !== undefined) return;
      const all = await this.#list([]);
      for (const leftover of all) await this.#consider(leftover);
      for (const id of this.#firstSeen.keys()) if (!all.some((one) => one.id === id)) this.#firstSeen.delete(id);
      await this.#discardFolders(new Set(all.map(({ folder }) => folder)));
    } catch (error) {
      this.#settings.log.warn({ err: error }, "containers that dead workers left behind could not be listed");
    }
  }

  /**
   * Hands over the newest of the lost attempts before this one, and removes what is left of the others.
   * @throws EngineAway, EngineRefusal
   */
  async adopt(job: Job, signal: AbortSignal): Promise<Adopted | undefined> {
    const all = await this.#list([`${labelNames.taskRun}=${job.taskRunId}`], signal);
    const dead: Leftover[] = [];
    for (const leftover of all) if (leftover.attempt < job.attempt && (await this.#isOrphan(leftover))) dead.push(leftover);
    const steps = dead.filter(({ step }) => step >= 0);
    const newest = steps.sort((left, right) => right.attempt - left.attempt || right.step - left.step)[0];
    const isWanted = newest !== undefined && newest.attempt >= job.attempt - job.lostAttempts && newest.step < job.steps.length;
    const attempt = isWanted && newest.folder ? await this.#folders.adopt(newest.folder).catch(() => undefined) : undefined;
    const isBeside = ({ step, folder }: Leftover): boolean => step < 0 && folder === newest?.folder;
    const isTaken = (leftover: Leftover): boolean => leftover.id === newest?.id || isBeside(leftover);
    void this.#clearInOrder(
      dead.filter((leftover) => !attempt || !isTaken(leftover)),
      attempt?.name,
    );
    if (!attempt || !newest) return undefined;
    const sidecars = dead.filter(isBeside).flatMap(({ id, isStarted, step }): [number, BegunContainer][] => {
      const place = sidecarOfPlace(step);
      return place === undefined ? [] : [[place, { id, isStarted }]];
    });
    const begun = { id: newest.id, isStarted: newest.isStarted };
    return { attempt, number: newest.attempt, step: newest.step, begun, sidecars: new Map(sidecars) };
  }

  /** Removes a container in the background; if that fails, a later check does it. */
  remove(nameOrId: string): Promise<unknown> {
    const work = this.#watch
      .ask(({ client }) => client.remove(nameOrId))
      .catch((error) => this.#settings.log.warn({ err: error, container: nameOrId }, "a container could not be removed; retrying later"))
      .finally(() => this.#removing.delete(work));
    this.#removing.add(work);
    return work;
  }

  async settle(): Promise<void> {
    await Promise.all(this.#removing);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #list(labels: readonly string[], signal?: AbortSignal): Promise<Leftover[]> {
    const wanted = [`${labelNames.instance}=${this.#root.instance}`, ...labels];
    const found = await this.#watch.ask(({ client }) => client.list(wanted), signal);
    const all = await Promise.all(
      found.map(async ({ Id, Labels, State }): Promise<Leftover> => {
        const folder = folderOf(Labels);
        const owner = folder === undefined ? undefined : await this.#folders.ownerOf(folder);
        return {
          id: Id,
          folder,
          attempt: Number(Labels[labelNames.attempt] ?? 0),
          step: Number(Labels[labelNames.step] ?? 0),
          isStarted: !/created|configured|initialized/i.test(State),
          owner: owner ?? Labels[labelNames.owner] ?? "",
        };
      }),
    );
    // A network is removed after the steps and the sidecars that share it.
    const inOrder = all.sort((left, right) => Number(left.step === -1) - Number(right.step === -1) || right.step - left.step);
    return inOrder.filter(({ folder }) => folder === undefined || !this.#folders.isRunning(folder));
  }

  async #isOrphan({ owner }: Leftover): Promise<boolean> {
    return owner === this.#root.owner.name || !(await this.#root.owner.isAlive(owner));
  }

  async #consider(leftover: Leftover): Promise<void> {
    const isOwn = leftover.owner === this.#root.owner.name;
    if (!(await this.#isOrphan(leftover))) return void this.#firstSeen.delete(leftover.id);
    const since = this.#firstSeen.get(leftover.id) ?? performance.now();
    this.#firstSeen.set(leftover.id, since);
    // It may be trying out the engine right now; otherwise its removal was interrupted.
    if (leftover.folder === undefined && isOwn && this.#watch.isTryingOut) return;
    const isKept = leftover.folder !== undefined && !isOwn && performance.now() - since < (this.#settings.adoptionMs ?? defaultAdoptionMs);
    if (!isKept) await this.#clear(leftover, undefined);
  }

  async #clearInOrder(leftovers: readonly Leftover[], keptFolder: string | undefined): Promise<void> {
    for (const leftover of leftovers) await this.#clear(leftover, keptFolder);
  }

  /** @param keptFolder a folder that continues to be used */
  async #clear({ id, folder }: Leftover, keptFolder: string | undefined): Promise<void> {
    await this.remove(id);
    if (folder !== undefined && folder !== keptFolder) await this.#folders.discard(folder);
  }

  /** A folder without a container can't be taken over. One without an owner is just being created. */
  async #discardFolders(used: ReadonlySet<string | undefined>): Promise<void> {
    for (const name of await this.#folders.list()) {
      if (used.has(name) || this.#folders.isRunning(name)) continue;
      const owner = await this.#folders.ownerOf(name);
      if (owner !== undefined && owner !== this.#root.owner.name && !(await this.#root.owner.isAlive(owner)))
        await this.#folders.discard(name);
    }
  }
}
