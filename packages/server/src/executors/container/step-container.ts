import type { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import type { StepUnit } from "../steps/attempt-state.ts";
import type { EngineClient } from "./engine/engine-client.ts";
import { EngineAway, EngineRefusal } from "./engine/engine-error.ts";
import type { FoundEngine } from "./engine/engine-watch.ts";
import type { BegunContainer } from "./leftovers.ts";
import type { OutputStreams } from "./output/output-streams.ts";
import type { Runtime } from "./runtime.ts";

/** How the container of a step ended. */
export interface ContainerEnd {
  /** 128 + signal if a signal ended it. */
  exitCode: number;
  isOutOfMemory: boolean;
  /** The engine was unreachable while it ran or ended, or has ended it. */
  wasAway: boolean;
}

export interface StepContext {
  runtime: Pick<Runtime, "watch" | "starting">;
  streams: OutputStreams;
  /** Called before it is created. @throws if it must not be created */
  inspect(): Promise<void>;
  /** Creates the container. @returns its id */
  create(engine: FoundEngine): Promise<string>;
  /** Called right before its start. @throws if it must not be started */
  check(id: string): Promise<void>;
  /** Used instead of creating one. */
  begun: BegunContainer | undefined;
  /** Ends the waiting for an unreachable engine, as long as the container has not started. */
  signal: AbortSignal;
  onStart(): void;
}

/** A container whose output has ended may continue to run. After this time, in ms, output that our connection missed is looked for. */
const silentMs = 1_000;
const idleMs = 10_000;
const killAgainMs = 1_000;
/** Pause between two reads of a log that can't be followed: at least this long, and this many times the duration of the last read. */
const pollMs = 200;
const pollShare = 10;

/**
 * One container from its creation to its end; others remove it. It is created, attached to (so that no byte is missed), started, read to
 * the end of its output, and waited for. If the connection breaks on the way, the engine is polled until it is back, and the rest of the
 * output is read from the engine's log.
 */
export class StepContainer implements StepUnit {
  readonly ended: Promise<ContainerEnd>;
  readonly #context: StepContext;
  #id: string | undefined;
  #isStarted = false;
  #hasEnded = false;
  #wasAway = false;
  #isDropped = false;
  #killAt: number | undefined;

  constructor(context: StepContext) {
    this.#context = context;
    this.ended = this.#run().finally(() => (this.#hasEnded = true));
    this.ended.catch(() => undefined);
  }

  /** Undefined before it was created. */
  get id(): string | undefined {
    return this.#id;
  }

  stop(graceMs: number): void {
    const killAt = performance.now() + graceMs;
    const isFirst = this.#killAt === undefined;
    this.#killAt = Math.min(this.#killAt ?? killAt, killAt);
    if (isFirst && this.#isStarted) void this.#stopInTime();
  }

  async #run(): Promise<ContainerEnd> {
    const { begun, streams } = this.#context;
    this.#id = begun?.id ?? (await this.#create());
    const source = begun?.isStarted ? undefined : await this.#start(this.#id);
    this.#isStarted = true;
    this.#context.onStart();
    if (this.#killAt !== undefined) void this.#stopInTime();
    const exitCode = await this.#follow(this.#id, source);
    const isOutOfMemory = exitCode !== 0 && (await this.#readState(this.#id)).OOMKilled;
    if (exitCode > 128 && !isOutOfMemory && this.#killAt === undefined) this.#wasAway ||= await this.#wasSignalled(this.#id);
    streams.drop();
    return { exitCode, isOutOfMemory, wasAway: this.#wasAway };
  }

  /** A create request whose response got lost has left one with that name, which has never been started. */
  async #create(): Promise<string> {
    const { runtime, inspect, create, signal } = this.#context;
    return runtime.starting.pass(async () => {
      signal.throwIfAborted();
      await inspect();
      return runtime.watch.ask(create, signal);
    });
  }

  /** @returns the connection for its output; undefined if it broke: the output is in the log */
  async #start(id: string): Promise<Readable | undefined> {
    const { runtime, check, signal } = this.#context;
    await check(id);
    const source = await runtime.watch.ask(({ client }) => client.attach(id), signal);
    try {
      await runtime.starting.pass(async () => {
        signal.throwIfAborted();
        await runtime.watch.ask(({ client }) => client.start(id), signal);
      });
      return source;
    } catch (error) {
      source.destroy();
      throw error;
    }
  }

  async #follow(id: string, attached: Readable | undefined): Promise<number> {
    const { runtime, streams } = this.#context;
    for (let source = attached; ; source = undefined) {
      const { client, facts } = runtime.watch.engine ?? (await runtime.watch.ask(async (engine) => engine));
      try {
        if (source === undefined && facts.kind === "podman") await this.#poll(client, id);
        else await this.#read(client, id, source);
        const endedAt = performance.now();
        const exitCode = await client.wait(id);
        // A connection can end before the output does; a reader that waits long after it, or gave it up, may have missed something. Docker
        // may leave out the last lines when it follows a log.
        const mayLack = source === undefined || this.#isDropped || performance.now() - endedAt > silentMs;
        if (mayLack) await streams.readLog(await client.logs(id, false));
        return exitCode;
      } catch (error) {
        if (!(error instanceof EngineAway)) throw error;
        this.#wasAway = true;
        await this.#readState(id);
      }
    }
  }

  async #read(client: EngineClient, id: string, attached: Readable | undefined): Promise<void> {
    const { streams } = this.#context;
    this.#isDropped = false;
    const timer = setInterval(() => void this.#dropWhenOver(client, id), idleMs);
    try {
      await (attached ? streams.follow(attached) : streams.readLog(await client.logs(id, true)));
    } finally {
      clearInterval(timer);
    }
  }

  /**
   * Reads the log repeatedly until the container has ended, because Podman leaves out lines at the end when it follows a log. Each read
   * starts at the beginning, so the pauses grow with its duration.
   */
  async #poll(client: EngineClient, id: string): Promise<void> {
    const { streams } = this.#context;
    let hasEnded = false;
    const ended = client.wait(id).then(() => {
      hasEnded = true;
    });
    ended.catch(() => undefined);
    while (!hasEnded) {
      const begunAt = performance.now();
      await streams.readLog(await client.logs(id, false));
      const restMs = Math.max(pollMs, pollShare * (performance.now() - begunAt));
      await Promise.race([ended, pause(restMs, undefined, { ref: false })]);
    }
  }

  /** Gives up a connection that stays open after the container has ended, or that no longer works. */
  async #dropWhenOver(client: EngineClient, id: string): Promise<void> {
    const { streams } = this.#context;
    const lastAt = streams.lastAt;
    if (streams.isFull || performance.now() - lastAt < idleMs) return;
    const isRunning = await client.state(id).then(
      ({ Running }) => Running,
      () => false,
    );
    if (isRunning || streams.lastAt !== lastAt || streams.isFull) return;
    this.#isDropped = true;
    streams.drop();
  }

  /** Docker ends its containers when it is stopped, and responds all the while. It does not see signals that a step sends itself. */
  async #wasSignalled(id: string): Promise<boolean> {
    const { client, facts } = this.#context.runtime.watch.engine ?? {};
    if (!client || facts?.kind !== "docker") return false;
    return client.wasSignalled(id).catch((error) => error instanceof EngineAway);
  }

  async #readState(id: string) {
    const { watch } = this.#context.runtime;
    try {
      return await (watch.engine?.client.state(id) ?? Promise.reject(new EngineAway()));
    } catch (error) {
      if (!(error instanceof EngineAway)) throw error;
      this.#wasAway = true;
      return watch.ask(({ client }) => client.state(id));
    }
  }

  /** TERM first. If it is still running after the grace period it is killed, repeatedly if need be. */
  async #stopInTime(): Promise<void> {
    const { watch } = this.#context.runtime;
    const send = (signal: "SIGTERM" | "SIGKILL"): Promise<unknown> =>
      watch.ask(({ client }) => client.kill(this.#id ?? "", signal)).catch(() => undefined);
    if (this.#leftMs() > 0) await send("SIGTERM");
    while (!this.#hasEnded) {
      const leftMs = this.#leftMs();
      if (leftMs <= 0) await send("SIGKILL");
      await Promise.race([pause(leftMs <= 0 ? killAgainMs : Math.min(leftMs, 100)), this.ended.catch(() => undefined)]);
    }
  }

  #leftMs(): number {
    return (this.#killAt ?? 0) - performance.now();
  }
}

export function isNameTaken(error: unknown): boolean {
  return error instanceof EngineRefusal && (error.status === 409 || /already in use/.test(error.message));
}
