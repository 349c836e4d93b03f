import type { ContainerCreateOptions } from "dockerode";
import { BoundedCache } from "../../../base/process/bounded-cache.ts";
import { shortHash } from "../../../base/text/short-hash.ts";
import type { EngineClient, FoundPath } from "../engine/engine-client.ts";
import type { EngineWatch, FoundEngine } from "../engine/engine-watch.ts";
import { requireOwnPlaces, userFiles } from "./image-places.ts";
import { ImageProblem } from "./image-problem.ts";

/**
 * What an image contains that affects the engine itself, before any program of the image runs and whatever restricts these programs. Its
 * files are inspected in a container that is never started and has no mount that a step can write to: to read them, Docker sets up the
 * mounts of a container on the machine. Annotations are checked in each created container before it is started.
 */

/**
 * Podman passes all annotations of a manifest on to the runtime, which obeys them: they disable filters and limits, write files, or have a
 * container join another one's virtual machine. Podman obeys its own annotations: e.g. a file that it removes with the container.
 */
const honoured =
  /^(?:run\.oci\.|org\.systemd\.property|org\.criu\.|module\.wasm\.|krun\.|io\.katacontainers\.|dev\.gvisor\.|io\.containers\.|io\.kubernetes\.|io\.podman\.)/;

/** The annotations that Podman itself adds to a container. */
const ofPodman =
  /^(?:io\.kubernetes\.cri-o\.(?:Created|TTY)|io\.podman\.annotations\.(?:autoremove|init|label|privileged|publish-all|seccomp|apparmor|ulimit|pids-limit))$/;

/** @param of a container has some that Podman has added */
export function honouredAnnotations(annotations: Readonly<Record<string, string>> | undefined, of: "image" | "container"): string[] {
  return Object.keys(annotations ?? {}).filter((name) => honoured.test(name) && (of === "image" || !ofPodman.test(name)));
}

/**
 * Engines read these files as root, no matter which user the step has: reading a pipe would never end, and Podman answers no request about
 * its containers meanwhile. A large file is read line by line, which takes more than a minute.
 */
const maxOpenedBytes = 1_048_576;

/**
 * Podman gives a variable without a value the value of the engine's own one, and `*` means all of them: a step would see the engine's
 * environment.
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

/** How many images are remembered; the content of an image never changes. */
const maxChecked = 1_000;
/** How many paths of an image are remembered; tasks add paths where they mount workspaces. */
const maxPlaces = 500;
/**
 * How many requests are allowed before one start: the image decides how deep its volumes lie, and engines mount a container for each
 * request.
 */
const maxLooks = 300;

interface InspectedImage {
  image: ImageOfContainer;
  /** Of a container that is only created for inspection. */
  spec(engine: FoundEngine): ContainerCreateOptions;
  /** Where the step will have mounts. */
  targets: readonly string[];
}

type Places = Map<string, Promise<FoundPath | undefined>>;

export class ImageHazards {
  readonly #checked = new BoundedCache<true>("checked-images", { maxEntries: maxChecked });
  /** What was found in an image, by path: Podman takes up to 0.1 s for each. */
  readonly #seen = new BoundedCache<Places>("seen-images", { maxEntries: maxChecked });

  /**
   * Inspects the files of an image, before a container of it gets the mounts of a step.
   * @throws ImageProblem if it must not get them; EngineAway, EngineRefusal
   */
  async inspect(watch: Pick<EngineWatch, "ask">, { image, spec, targets }: InspectedImage, signal: AbortSignal): Promise<void> {
    const key = shortHash([image.id, ...targets]);
    if (this.#checked.get(key)) return;
    const [id, kind] = await watch.ask(async (engine) => [await engine.client.create(spec(engine)), engine.facts.kind] as const, signal);
    const ask: Ask = (act) => watch.ask(({ client }) => act(client), signal);
    // In a container that is gone, nothing is found either, so the findings count only if it still exists.
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
   * @param container created from it, not started
   * @throws ImageProblem if the container must not be started; EngineAway, EngineRefusal
   */
  async check(watch: Pick<EngineWatch, "ask">, container: string, image: string, signal: AbortSignal): Promise<void> {
    requirePlain(image, await watch.ask(({ client }) => client.annotations("containers", container), signal));
  }
}

type Ask = <T>(act: (client: EngineClient) => Promise<T>) => Promise<T>;

/** @param count is called before each request to the engine, and throws if it must not be sent */
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

/** Its name in the task, and its id: the engine may have it under that id with manifests of several teams. */
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
  const names = honouredAnnotations(annotations, "container");
  if (names.length > 0) throw new ImageProblem(annotatedMessage(image, names));
}

export function annotatedMessage(image: string, names: readonly string[]): string {
  const remedy = "build it without them";
  return `the image ${image} can't be used: its manifest has annotations that the runtime of containers obeys (${names.join(", ")}); ${remedy}`;
}
