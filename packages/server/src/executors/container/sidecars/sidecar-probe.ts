import { setTimeout as pause } from "node:timers/promises";
import type { ReadinessProbe } from "../../../core/task/tekton/sidecars/readiness-probe.ts";
import { describePort, probePort, requestOf } from "../../steps/probe-request.ts";
import type { EngineClient } from "../engine/engine-client.ts";
import { EngineRefusal } from "../engine/engine-error.ts";
import type { EngineWatch } from "../engine/engine-watch.ts";

/**
 * Asks a sidecar whether it is ready. A command is run in the sidecar's own container, as its user. A port is probed in the network of the
 * attempt, by the machine's own programs in the container that holds the network, as a user without rights: the service itself never
 * connects to anything that a task names.
 */
export interface Probed {
  watch: Pick<EngineWatch, "ask">;
  probe: ReadinessProbe;
  /** Id of the sidecar's container. */
  container: string;
  /** Name of the container that holds the network. */
  holder: string;
  signal: AbortSignal;
}

const nobody = "65534:65534";
/** How long the engine itself may take to start the program and to report how it ended, in ms. */
const spareMs = 5_000;

type Asking = Awaited<ReturnType<EngineClient["exec"]>>;

export class SidecarProbe {
  readonly #probed: Probed;
  /** A probe that took too long and still runs: no second one is started beside it. */
  #running: Asking | undefined;

  constructor(probed: Probed) {
    this.#probed = probed;
  }

  /** @returns undefined if it is ready; otherwise why not, to follow "its readiness probe". @throws EngineAway */
  async ask(): Promise<string | undefined> {
    const { action, timeoutMs } = this.#probed.probe;
    const withinMs = timeoutMs + (action.kind === "exec" ? 0 : spareMs);
    try {
      this.#running ??= await this.#probed.watch.ask(({ client }) => this.#start(client), this.#probed.signal);
      const code = await this.#end(this.#running, withinMs);
      if (code === undefined) return `did not respond within ${timeoutMs / 1000} s`;
      this.#running = undefined;
      if (action.kind !== "exec") return describePort(action, code);
      return code === 0 ? undefined : `ended with exit code ${code}`;
    } catch (error) {
      this.#running = undefined;
      if (!(error instanceof EngineRefusal)) throw error;
      return `could not be run: ${error.message}`;
    }
  }

  close(): void {
    this.#running?.drop();
  }

  #start(client: EngineClient): Promise<Asking> {
    const { probe, container, holder } = this.#probed;
    const { action, timeoutMs } = probe;
    if (action.kind === "exec") return client.exec(container, { command: action.command });
    const command = ["/bin/sh", "-c", probePort, "probe-port", action.kind, String(action.port), String(timeoutMs / 1000)];
    const env = action.kind === "http" ? [`MILLRACE_REQUEST=${requestOf(action)}`] : [];
    return client.exec(holder, { command, user: nobody, env });
  }

  /** @returns undefined if it still runs */
  async #end({ ended }: Asking, withinMs: number): Promise<number | undefined> {
    const over = new AbortController();
    const signal = AbortSignal.any([this.#probed.signal, over.signal]);
    try {
      return await Promise.race([ended, pause(withinMs, undefined, { signal })]);
    } finally {
      over.abort();
    }
  }
}
