import type { ContainerCreateOptions } from "dockerode";
import { BoundedCache } from "../../../base/process/bounded-cache.ts";
import { shortHash } from "../../../base/text/short-hash.ts";
import type { EngineClient, FoundPath } from "../engine/engine-client.ts";
import type { EngineWatch, FoundEngine } from "../engine/engine-watch.ts";
import { requireOwnPlaces, userFiles } from "./image-places.ts";
import { ImageProblem } from "./image-problem.ts";

/**
 * What an image brings that acts on the engine itself, before any program of the image runs and whatever holds these. Its files are
 * looked at in a container that is never started and has no mount that a step can write to: to answer, Docker makes the mounts of a
 * container on the machine. Annotations are looked for in each container that was made and has not been started.
 */

/**
 * Podman hands all annotations of a manifest on to the runtime, and these are obeyed there: they take away filters and limits,
 * write files, or have a container join another one's virtual machine. Podman's own are for itself: a file that it removes with the
 * container, for example.
 */
const obeyed =
  /^(?:run\.oci\.|org\.systemd\.property|org\.criu\.|module\.wasm\.|krun\.|io\.katacontainers\.|dev\.gvisor\.|io\.containers\.|io\.kubernetes\.|io\.podman\.)/;

/** What Podman itself writes on a container. */
const ofPodman =
  /^(?:io\.kubernetes\.cri-o\.(?:Created|TTY)|io\.podman\.annotations\.(?:autoremove|init|label|privileged|publish-all|seccomp|apparmor|ulimit|pids-limit))$/;

/** @param of Podman has written some of those of a container */
export function obeyedAnnotations(annotations: Readonly<Record<string, string>> | undefined, of: "image" | "container"): string[] {
  return Object.keys(annotations ?? {}).filter((name) => obeyed.test(name) && (of === "image" || !ofPodman.test(name)));
}

/**
 * Engines read them as root, no matter who the step runs as: of a pipe nothing would ever come, and Podman answers no question about its
 * containers meanwhile. Of a large file they read each line, for more than a minute.
 */
const maxOpenedBytes = 1_048_576;

/**
 * A variable without a value is one of the engine for Podman, and `*` is all of them: a step would see what the engine was started with.
 * @param variables of the image
 * @throws ImageProblem
 */
export function requireOwnVariables(image: string, variables: readonly string[] | null | undefined): void {
  const open = (variables ?? []).filter((one) => !one.includes("="));
  if (open.length === 0) return;
  const names = open.slice(0, 5).map((one) => JSON.stringify(one.slice(0, 50)));
  throw new ImageProblem(
    `the image ${image} can't be used: it has variables without a value (${names.join(", ")}), which engines fill from their own; build it without them`,
  );
}

/** So many images are remembered; what an image holds never changes. */
const maxChecked = 1_000;
/** So many paths of one; tasks name further ones, where they mount workspaces. */
const maxPlaces = 500;
/** So many are asked for before one start: an image says how deep its volumes lie, and engines mount a container for each answer. */
const maxLooks = 300;

interface InspectedImage {
  image: ImageOfContainer;
  /** Of a container for nothing but to be looked at. */
  spec(engine: FoundEngine): ContainerCreateOptions;
  /** Where the step will have mounts. */
  targets: readonly string[];
}

type Places = Map<string, Promise<FoundPath | undefined>>;

export class ImageHazards {
  readonly #checked = new BoundedCache<true>("checked-images", { maxEntries: maxChecked });
  /** What was seen in an image, by path: Podman takes up to 0.1 s for each. */
  readonly #seen = new BoundedCache<Places>("seen-images", { maxEntries: maxChecked });

  /**
   * Looks at the files of an image, before a container of it gets the mounts of a step.
   * @throws ImageProblem when there must be none; EngineAway, EngineRefusal
   */
  async inspect(watch: Pick<EngineWatch, "ask">, { image, spec, targets }: InspectedImage, signal: AbortSignal): Promise<void> {
    const key = shortHash([image.id, ...targets]);
    if (this.#checked.get(key)) return;
    const [id, kind] = await watch.ask(async (engine) => [await engine.client.create(spec(engine)), engine.facts.kind] as const, signal);
    const ask: Ask = (act) => watch.ask(({ client }) => act(client), signal);
    // Of a container that is gone nothing is there either, so what was seen counts only when it is still there.
    const seen: Places = new Map(this.#seen.get(image.id));
    let looks = 0;
    const look = lookInto(ask, id, seen, () => {
      signal.throwIfAborted();
      if (++looks > maxLooks)
        throw new ImageProblem(`the image ${image.name} can't be used: its volumes and links lead through more than ${maxLooks} folders`);
    });
    try {
      for (const path of userFiles) await requireSmallFile(ask, id, image.name, path, await look(path));
      await requireOwnPlaces(image.name, kind, targets, look);
      await ask((client) => client.state(id));
    } finally {
      await ask((client) => client.remove(id)).catch(() => undefined);
    }
    if (seen.size <= maxPlaces) this.#seen.set(image.id, seen);
    this.#checked.set(key, true);
  }

  /**
   * @param container made of it, not started
   * @throws ImageProblem when its container must not be started; EngineAway, EngineRefusal
   */
  async check(watch: Pick<EngineWatch, "ask">, container: string, image: string, signal: AbortSignal): Promise<void> {
    requirePlain(image, await watch.ask(({ client }) => client.annotations("containers", container), signal));
  }
}

type Ask = <T>(act: (client: EngineClient) => Promise<T>) => Promise<T>;

/** @param count is called before the engine is asked, and throws when it must not be */
function lookInto(ask: Ask, container: string, seen: Places, count: () => void): (path: string) => Promise<FoundPath | undefined> {
  return async (path) => {
    const known = seen.get(path);
    if (known !== undefined) return known;
    count();
    const found = ask((client) => client.look(container, path));
    seen.set(path, found);
    return found;
  };
}

/** Its name in the task, and its id: under that it may be on the engine with manifests of several teams. */
interface ImageOfContainer {
  name: string;
  id: string;
}

async function requireSmallFile(ask: Ask, container: string, image: string, path: string, first: FoundPath | undefined): Promise<void> {
  const found = first?.kind === "link" ? await ask((client) => client.look(container, path, true)) : first;
  if (found === undefined) return;
  const { kind, sizeBytes } = found;
  if (kind !== "file") throw new ImageProblem(`the image ${image} can't be used: its ${path} is not a file, and engines read it`);
  if (sizeBytes <= maxOpenedBytes) return;
  throw new ImageProblem(
    `the image ${image} can't be used: its ${path} has ${sizeBytes} bytes, and engines read it; at most ${maxOpenedBytes} are allowed`,
  );
}

function requirePlain(image: string, annotations: Readonly<Record<string, string>>): void {
  const names = obeyedAnnotations(annotations, "container");
  if (names.length > 0) throw new ImageProblem(annotatedMessage(image, names));
}

export function annotatedMessage(image: string, names: readonly string[]): string {
  const remedy = "build it without them";
  return `the image ${image} can't be used: its manifest has annotations that the runtime of containers obeys (${names.join(", ")}); ${remedy}`;
}
