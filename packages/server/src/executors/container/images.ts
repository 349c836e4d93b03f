import { createMasker } from "../../base/mask.ts";
import type { JobStep } from "../../core/tekton/job-steps.ts";
import { EngineRefusal } from "./engine-error.ts";
import type { EngineWatch } from "./engine-watch.ts";
import { type ImageReference, imageText, parseImage } from "./image-reference.ts";
import { type RegistryCredentials, secretsOf } from "./registry-credentials.ts";

/** An image that the engine has. */
export interface FoundImage {
  /** Pins what runs, whatever the name means a moment later. */
  id: string;
  /** As its registry knows it: `name@sha256:…`; the id where it came from none. */
  digest: string;
}

/** The image can't be had; the message is for people, without secrets. */
export class ImageProblem extends Error {}

export interface Wanted {
  image: string;
  policy: JobStep["pullPolicy"];
  signal: AbortSignal;
  /** A pull begins for it, or it waits for one that is under way. */
  onPull(): void;
}

interface Pull {
  done: Promise<void>;
  controller: AbortController;
  waiting: number;
}

/** Images of the engine, pulled when that is needed: each once at a time, however many attempts wait for it. */
export class Images {
  readonly #watch: EngineWatch;
  readonly #credentials: RegistryCredentials;
  readonly #pulls = new Map<string, Pull>();

  constructor(watch: EngineWatch, credentials: RegistryCredentials) {
    this.#watch = watch;
    this.#credentials = credentials;
  }

  /** @throws ImageProblem, EngineAway; whatever it likes after an abort */
  async find(wanted: Wanted): Promise<FoundImage> {
    const reference = parseImage(wanted.image);
    if (!reference)
      throw new ImageProblem(`${JSON.stringify(wanted.image)} is no name of an image, like registry.example.com/team/tool:1.2`);
    const present = wanted.policy === "Always" ? undefined : await this.#look(reference, wanted);
    if (present) return present;
    if (wanted.policy === "Never") throw new ImageProblem(`the image ${wanted.image} is not there, and its pull policy is Never`);
    wanted.onPull();
    await this.#pull(reference, wanted);
    const pulled = await this.#look(reference, wanted);
    if (pulled) return pulled;
    throw new ImageProblem(`the image ${wanted.image} was pulled, but the engine does not know it by that name`);
  }

  async #look(reference: ImageReference, { image, signal }: Wanted): Promise<FoundImage | undefined> {
    try {
      const found = await this.#watch.ask(({ client }) => client.image(imageText(reference)), signal);
      if (!found) return undefined;
      return { id: found.Id, digest: digestOf(found.RepoDigests ?? [], reference) ?? found.Id };
    } catch (error) {
      throw error instanceof EngineRefusal ? new ImageProblem(`the image ${image} can't be used: ${error.message}`) : error;
    }
  }

  async #pull(reference: ImageReference, { image, signal }: Wanted): Promise<void> {
    const key = imageText(reference);
    const pull = this.#pulls.get(key) ?? this.#begin(key, reference, image);
    pull.waiting++;
    try {
      await Promise.race([pull.done, aborted(signal)]);
    } finally {
      if (--pull.waiting === 0) pull.controller.abort();
    }
  }

  #begin(key: string, reference: ImageReference, image: string): Pull {
    const controller = new AbortController();
    const done = this.#pullOnce(reference, image, controller.signal).finally(() => this.#pulls.delete(key));
    done.catch(() => undefined);
    const pull = { done, controller, waiting: 0 };
    this.#pulls.set(key, pull);
    return pull;
  }

  async #pullOnce(reference: ImageReference, image: string, signal: AbortSignal): Promise<void> {
    const auth = await this.#credentials.find(reference).catch((error: Error) => {
      throw new ImageProblem(
        `the image ${image} can't be pulled: what MILLRACE_CONTAINER_REGISTRIES names can't be read: ${error.message}`,
      );
    });
    try {
      await this.#watch.ask(({ client }) => client.pull(reference.name, reference.version, auth, signal), signal);
    } catch (error) {
      if (!(error instanceof EngineRefusal)) throw error;
      const words = createMasker(secretsOf(auth)).maskText(error.message);
      throw new ImageProblem(
        `the image ${image} can't be pulled${auth ? ` with the credentials for ${reference.registry}` : ""}: ${words}`,
      );
    }
  }
}

/** One image may be known by several names. */
function digestOf(known: readonly string[], { name, version }: ImageReference): string | undefined {
  return known.find((one) => one.startsWith(`${name}@`)) ?? known.find((one) => one.endsWith(`@${version}`)) ?? known[0];
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
