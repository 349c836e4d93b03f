import type { JobStep } from "../../../core/task/tekton/job-steps.ts";
import { type ImageReference, imageText, parseImage } from "../../images/image-reference.ts";
import { ImageRefusal, type ImageRules, isLocalImage, readImage, requireReachableRegistry } from "../../images/image-rules.ts";
import { EngineRefusal } from "../engine/engine-error.ts";
import type { EngineWatch } from "../engine/engine-watch.ts";
import { type ContainerExecutorSettings, defaultRegistryMs } from "../settings.ts";
import { annotatedMessage, honouredAnnotations, requireOwnVariables } from "./image-hazards.ts";
import { absentMessage, askAgain, ImageProblem, isBuiltHere, isPassing, localRemedy, neverMessage, toProblem } from "./image-problem.ts";
import type { PublicImages } from "./public-images.ts";
import type { RegistryCredentials } from "./registry-credentials.ts";
import type { RegistryAuth } from "./registry-question.ts";

/**
 * Images of the engine. Teams share them, but one team must not use what only another team may pull. So an image that the engine has is
 * used only by a team that could pull it now: its registry is asked for the same digest with that team's credentials, each time. Two kinds
 * need no such request: what the registry gives to everyone (`PublicImages`), and the operator's local images.
 */

/** An image that the engine has. */
export interface FoundImage {
  /** Pins what runs, even if the name refers to another image a moment later. */
  id: string;
  /** As its registry knows it: `name@sha256:…`; the id if it came from no registry. */
  digest: string;
  /** What it runs if the step gives no command, and the arguments if the step gives none. */
  entrypoint: readonly string[];
  command: readonly string[];
  /** Folders that it declares as volumes. */
  volumes: readonly string[];
  /** Names of its labels. */
  labels: readonly string[];
}

interface Wanted {
  image: string;
  policy: JobStep["pullPolicy"];
  teamId: string;
  signal: AbortSignal;
  /** A pull starts for it, or it waits for one that is in progress. */
  onPull(): void;
  /** The registry is asked whether the team may use the engine's image. */
  onCheck(): void;
}

type Present = FoundImage & { repoDigest: string | undefined; honoured: readonly string[]; variables: readonly string[] | undefined };
type Asked = Wanted & { reference: ImageReference; auth: RegistryAuth | undefined };

export class Images {
  readonly #watch: EngineWatch;
  readonly #credentials: RegistryCredentials;
  readonly #rules: ImageRules;
  readonly #public: PublicImages;
  readonly #registryMs: number;
  readonly #pulls = new SharedPulls();

  constructor(
    watch: EngineWatch,
    credentials: RegistryCredentials,
    publicImages: PublicImages,
    { imageRules: rules, registryMs = defaultRegistryMs }: Pick<ContainerExecutorSettings, "imageRules" | "registryMs">,
  ) {
    this.#watch = watch;
    this.#registryMs = registryMs;
    this.#credentials = credentials;
    this.#rules = rules;
    this.#public = publicImages;
  }

  /** @throws ImageProblem, EngineAway; any error after an abort */
  async find(wanted: Wanted): Promise<FoundImage> {
    try {
      const found = await this.#find(wanted);
      requireOwnVariables(wanted.image, found.variables);
      return found;
    } catch (error) {
      throw error instanceof ImageRefusal ? new ImageProblem(error.message) : error;
    }
  }

  async #find(wanted: Wanted): Promise<Present> {
    const { image, policy, teamId } = wanted;
    const reference = readImage(image);
    const isLocal = isLocalImage(this.#rules, reference);
    const found = isLocal || policy !== "Always" ? await this.#look(reference, wanted) : undefined;
    if (found && (isLocal || policy === "Never")) requireIntact(image, found);
    if (found && isLocal) return found;
    // Podman keeps one manifest for all names of the same content: that of the last pull by any team. A pull of ours restores our own.
    const present = found && found.honoured.length > 0 ? undefined : found;
    if (!present && (policy === "Never" || (isLocal && isBuiltHere(reference)))) throw new ImageProblem(absentMessage(image, policy));
    const { auth, trusted } = await this.#credentials.find(reference, teamId).catch((error: Error) => {
      throw new ImageProblem(`the image ${image} can't be used: the file in MILLRACE_CONTAINER_REGISTRIES can't be read: ${error.message}`);
    });
    await requireReachableRegistry(this.#rules, reference, trusted);
    const asked: Asked = { ...wanted, reference, auth };
    if (present && (await this.#mayUse(present, asked))) return present;
    if (policy === "Never") throw new ImageProblem(neverMessage(image));
    wanted.onPull();
    await this.#ask("pull", asked, reference.version, auth);
    const pulled = await this.#look(reference, wanted);
    if (!pulled) throw new ImageProblem(`the image ${image} was pulled, but the engine does not know it by that name`);
    requireIntact(image, pulled);
    if (!auth) await this.#public.add(reference.name, pulled.id);
    return pulled;
  }

  async #look(reference: ImageReference, { image, signal }: Wanted): Promise<Present | undefined> {
    try {
      const found = await this.#watch.ask(({ client }) => client.image(imageText(reference)), signal);
      if (!found) return undefined;
      const known = found.RepoDigests ?? [];
      const annotations = await this.#watch.ask(({ client }) => client.annotations("images", found.Id), signal);
      return {
        id: found.Id,
        digest: digestOf(known, reference) ?? found.Id,
        entrypoint: [found.Config?.Entrypoint ?? []].flat(),
        command: [found.Config?.Cmd ?? []].flat(),
        volumes: Object.keys(found.Config?.Volumes ?? {}),
        labels: Object.keys(found.Config?.Labels ?? {}),
        honoured: honouredAnnotations(annotations, "image"),
        variables: found.Config?.Env,
        repoDigest: ownDigest(known, reference),
      };
    } catch (error) {
      throw error instanceof EngineRefusal ? new ImageProblem(`the image ${image} can't be used: ${error.message}`) : error;
    }
  }

  async #mayUse({ id, repoDigest }: Present, asked: Asked): Promise<boolean> {
    const { reference, auth } = asked;
    if (await this.#public.has(reference.name, id)) return true;
    const version = repoDigest?.slice(repoDigest.indexOf("@") + 1);
    if (version === undefined) return false;
    asked.onCheck();
    if (!this.#public.isKnownClosed(reference.name, id)) {
      if (await this.#gives(asked, version, undefined)) {
        await this.#public.add(reference.name, id);
        return true;
      }
      this.#public.noteClosed(reference.name, id);
    }
    return auth !== undefined && (await this.#gives(asked, version, auth));
  }

  async #gives(asked: Asked, digest: string, auth: RegistryAuth | undefined): Promise<boolean> {
    try {
      await this.#ask("askRegistry", asked, digest, auth);
      return true;
    } catch (error) {
      if (!(error instanceof ImageProblem)) throw error;
      if (!isPassing(error)) return false;
      throw new ImageProblem(`${error.message}; the engine has the image, and ${localRemedy}`, error.reason);
    }
  }

  #ask(what: "pull" | "askRegistry", { reference, image, signal }: Asked, version: string, auth: RegistryAuth | undefined): Promise<void> {
    const key = JSON.stringify([what, reference.name, version, auth]);
    return this.#pulls.join(key, signal, async (ownSignal) => {
      const question = { name: reference.name, version, auth, patienceMs: this.#registryMs, signal: ownSignal };
      const act = () => this.#watch.ask(({ client }) => client[what](question), ownSignal);
      await askAgain(() => act().catch((error: unknown) => Promise.reject(toProblem(error, image, reference, auth))), ownSignal);
    });
  }
}

function requireIntact(image: string, { honoured }: Present): void {
  if (honoured.length > 0) throw new ImageProblem(annotatedMessage(image, honoured));
}

/** One image may have several names. */
function digestOf(known: readonly string[], reference: ImageReference): string | undefined {
  return ownDigest(known, reference) ?? known.find((one) => one.endsWith(`@${reference.version}`)) ?? known[0];
}

/** Of several digests of one name, the one that was requested. */
function ownDigest(known: readonly string[], { name, version }: ImageReference): string | undefined {
  const own = known.filter((one) => parseImage(one)?.name === name);
  return own.find((one) => one.endsWith(`@${version}`)) ?? own[0];
}

interface Pull {
  done: Promise<void>;
  controller: AbortController;
  waiting: number;
}

/** Pulls in progress: each runs once however many attempts wait for it, and is aborted when none waits any more. */
class SharedPulls {
  readonly #pulls = new Map<string, Pull>();

  /** @param key identifies what is pulled and with which credentials: nobody gets a response to someone else's credentials */
  async join(key: string, signal: AbortSignal, begin: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const pull = this.#pulls.get(key) ?? this.#begin(key, begin);
    pull.waiting++;
    try {
      await Promise.race([pull.done, aborted(signal)]);
    } finally {
      if (--pull.waiting === 0) pull.controller.abort();
    }
  }

  #begin(key: string, begin: (signal: AbortSignal) => Promise<void>): Pull {
    const controller = new AbortController();
    const done = begin(controller.signal).finally(() => this.#pulls.delete(key));
    done.catch(() => undefined);
    const pull = { done, controller, waiting: 0 };
    this.#pulls.set(key, pull);
    return pull;
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
