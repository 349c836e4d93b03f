import { randomBytes } from "node:crypto";
import { type OutboundFilter, resolveOutbound } from "../../networks/outbound-filter.ts";
import type { OutboundPolicy } from "../../networks/outbound-policy.ts";
import type { AttemptRoot } from "../attempt-root.ts";
import type { EngineClient } from "../engine/engine-client.ts";
import { toEngineError } from "../engine/engine-error.ts";
import type { EngineFacts } from "../engine/engine-facts.ts";
import { baseLabels } from "../labels.ts";
import { holderImage, importHolderImage, readEngineAddresses, startHolder } from "./network-holder.ts";

export interface OutboundSettings {
  policy: Pick<OutboundPolicy, "facts" | "resolve">;
  /** MILLRACE_ALLOW_HOST_NETWORK: tasks run even where access can't be restricted. */
  allowsHostNetwork: boolean;
}

/** How often the addresses of the engine's machine are read again, in ms. */
const addressesHoldMs = 300_000;

/** The network `outbound` of an engine, and whether it works there. */
export class OutboundNetwork {
  readonly #client: EngineClient;
  readonly #facts: EngineFacts;
  readonly #settings: OutboundSettings;
  readonly #root: AttemptRoot;
  #problem: string | undefined = "not tested yet";
  #addresses: { at: number; found: Promise<string[]> } | undefined;

  constructor(client: EngineClient, facts: EngineFacts, settings: OutboundSettings, root: AttemptRoot) {
    this.#client = client;
    this.#facts = facts;
    this.#settings = settings;
    this.#root = root;
  }

  /** Why the network can't be enforced here; undefined: it can. */
  get problem(): string | undefined {
    return this.#problem;
  }

  get allowsHostNetwork(): boolean {
    return this.#settings.allowsHostNetwork;
  }

  /** Sets up a filter as a test; never rejects. */
  async tryOut(): Promise<void> {
    const name = this.#tryName();
    try {
      await importHolderImage(this.#client);
      await this.start(name, baseLabels(this.#root));
      this.#problem = undefined;
      // Its network may have become available only now.
      this.#addresses = undefined;
    } catch (error) {
      this.#problem = toEngineError(error).message;
    } finally {
      await this.#client.remove(name).catch(() => undefined);
    }
  }

  /**
   * Starts the holder of an attempt, whose network the steps share.
   * @throws EngineAway, EngineRefusal
   */
  async start(name: string, labels: Record<string, string>): Promise<void> {
    await startHolder(this.#client, this.#facts, { name, image: holderImage(), labels, filter: await this.#filter() });
  }

  /** What is allowed and protected now. Addresses of the machine are those that the service sees and those of the engine's machine. */
  async #filter(): Promise<OutboundFilter> {
    const { facts, resolve } = this.#settings.policy;
    const settings = await facts();
    const machine = [...new Set([...settings.machine, ...(await this.#engineAddresses())])];
    return resolveOutbound({ ...settings, machine }, resolve);
  }

  #engineAddresses(): Promise<string[]> {
    if (this.#addresses === undefined || performance.now() - this.#addresses.at > addressesHoldMs) {
      const parts = { name: this.#tryName(), image: holderImage(), labels: baseLabels(this.#root) };
      const found = readEngineAddresses(this.#client, this.#facts, parts);
      found.catch(() => (this.#addresses = undefined));
      this.#addresses = { at: performance.now(), found };
    }
    return this.#addresses.found;
  }

  #tryName(): string {
    return `millrace-network-${this.#root.instance.slice(0, 8)}-${randomBytes(4).toString("hex")}`;
  }
}
