import { setTimeout as pause } from "node:timers/promises";
import type { AttemptRoot } from "../attempt-root.ts";
import { OutboundNetwork } from "../network/outbound-network.ts";
import { type ContainerExecutorSettings, defaultLookEveryMs, defaultOutageMs } from "../settings.ts";
import { type EngineClient, openEngineClient } from "./engine-client.ts";
import { EngineAway, EngineRefusal, toEngineError } from "./engine-error.ts";
import { describeFacts, type EngineFacts, readEngineFacts } from "./engine-facts.ts";
import { probeFolders } from "./probe-folders.ts";

/** An engine that was found and can run steps of this service. */
export interface FoundEngine {
  client: EngineClient;
  facts: EngineFacts;
  address: string;
  outbound: OutboundNetwork;
}

/**
 * The address of the engine and whether it is reachable. States: `found`; `away`: it was found but does not respond, and is polled every
 * few seconds; `unusable`: it was never found, or can't be used as it is, and all checks are repeated every few seconds. Its facts are read
 * again if it turns out to be another engine or another version.
 */
export class EngineWatch {
  readonly #settings: ContainerExecutorSettings;
  readonly #root: AttemptRoot;
  readonly #outageMs: number;
  readonly #timer: NodeJS.Timeout;
  #found: FoundEngine | undefined;
  #problem: string | undefined = "not checked yet";
  #looking: Promise<void> | undefined;
  #tryingOut = 0;
  /** It responds, but could not run a container: only another try can show that it works again. */
  #mustTryOut = false;
  #confirming: Promise<boolean> | undefined;

  constructor(settings: ContainerExecutorSettings, root: AttemptRoot) {
    this.#settings = settings;
    this.#root = root;
    this.#outageMs = settings.outageMs ?? defaultOutageMs;
    this.#timer = setInterval(() => void this.look(), (settings.lookEveryMs ?? defaultLookEveryMs).engine);
    this.#timer.unref();
  }

  /** Undefined: none was found yet. It may be unreachable at the moment. */
  get engine(): FoundEngine | undefined {
    return this.#found;
  }

  /** Why it can't be used now. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** What is wrong with an engine that was found before, in words that everyone may read. */
  get fault(): string | undefined {
    if (this.#problem === undefined || this.#found === undefined) return undefined;
    return this.#mustTryOut ? "the container engine of the worker can't run containers" : "the container engine of the worker is away";
  }

  /** Whether containers exist now that belong to no attempt: they try out the engine, or show what is in an image. */
  get isTryingOut(): boolean {
    return this.#tryingOut > 0;
  }

  /** Checks whether the engine is reachable; never rejects. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  /** Tries out the engine once more. @returns whether it can't run containers now; then it is not used until it can */
  confirm(): Promise<boolean> {
    this.#confirming ??= this.#confirm().finally(() => (this.#confirming = undefined));
    return this.#confirming;
  }

  /**
   * Sends a request to the engine, and retries while the engine is unreachable.
   * @param signal ends the retries
   * @throws EngineAway if it was unreachable for too long, EngineRefusal
   */
  async ask<T>(act: (engine: FoundEngine) => Promise<T>, signal?: AbortSignal): Promise<T> {
    let gaveUpAt: number | undefined;
    for (let round = 0; ; round++) {
      try {
        if (this.#found === undefined) throw new EngineAway(this.#problem);
        return await act(this.#found);
      } catch (error) {
        const cause = toEngineError(error);
        if (!(cause instanceof EngineAway)) throw cause;
        gaveUpAt ??= performance.now() + this.#outageMs;
        if (performance.now() > gaveUpAt || signal?.aborted) throw cause;
        if (this.#found !== undefined) this.#problem ??= cause.message;
        await pause(Math.min(50 * 2 ** round, 500), undefined, signal && { signal }).catch(() => undefined);
        if (round > 0) await this.look();
      }
    }
  }

  /** Runs something that creates such containers. */
  async whileTryingOut<T>(act: () => Promise<T>): Promise<T> {
    this.#tryingOut++;
    try {
      return await act();
    } finally {
      this.#tryingOut--;
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    const before = this.#problem;
    try {
      if (this.#found !== undefined && (await this.#isSame(this.#found))) {
        if (this.#mustTryOut) await this.#tryOut(this.#found.client, this.#found.facts);
        this.#mustTryOut = false;
        this.#problem = undefined;
      } else await this.#find();
    } catch (error) {
      this.#problem = (error as Error).message;
    }
    if (this.#problem !== before) this.#tell();
  }

  async #isSame({ client, facts }: FoundEngine): Promise<boolean> {
    await client.ping();
    if (this.#problem === undefined) return true;
    const { version, id } = await readEngineFacts(client);
    return version === facts.version && id === facts.id;
  }

  async #find(): Promise<void> {
    const problems: string[] = [];
    for (const address of this.#settings.addresses) {
      try {
        this.#found = await this.#open(address);
        this.#problem = undefined;
        return;
      } catch (error) {
        problems.push(`${address}: ${toEngineError(error).message}`);
      }
    }
    this.#found = undefined;
    this.#problem = problems.join("; ");
  }

  async #open(address: string): Promise<FoundEngine> {
    const client = await openEngineClient(address);
    const facts = await readEngineFacts(client);
    if (facts.hasShiftedUsers) {
      throw new EngineRefusal(
        0,
        "it gives containers other user ids than the machine has (rootless Docker, userns-remap), so files of steps would belong to " +
          "nobody here; use Docker without that, or Podman",
      );
    }
    return this.whileTryingOut(async () => {
      const found = { ...facts, ...(await probeFolders(client, facts, this.#root)) };
      const outbound = new OutboundNetwork(client, found, this.#settings.outbound, this.#root);
      await outbound.tryOut();
      return { client, facts: found, address, outbound };
    });
  }

  async #confirm(): Promise<boolean> {
    const { client, facts } = this.#found ?? {};
    if (!client || !facts) return true;
    const before = this.#problem;
    try {
      await this.#tryOut(client, facts);
      return false;
    } catch (error) {
      this.#problem = toEngineError(error).message;
      this.#mustTryOut = true;
      if (this.#problem !== before) this.#tell();
      return true;
    }
  }

  async #tryOut(client: EngineClient, facts: EngineFacts): Promise<void> {
    await this.whileTryingOut(() => probeFolders(client, facts, this.#root));
  }

  #tell(): void {
    const { log } = this.#settings;
    if (this.#problem === undefined && this.#found) log.info({}, `container engine: ${describeFacts(this.#found)}`);
    else log.warn({ problem: this.#problem }, "no container engine can be used; the worker looks for one every few seconds");
  }
}
