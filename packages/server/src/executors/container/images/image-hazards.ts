import { BoundedCache } from "../../../base/process/bounded-cache.ts";
import type { FoundPath } from "../engine/engine-client.ts";
import type { EngineWatch } from "../engine/engine-watch.ts";
import { ImageProblem } from "./image-problem.ts";

/**
 * What an image brings that acts on the engine itself, before any program of the image runs and whatever holds these. Looked for in
 * each container that was made and has not been started.
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
const opened = ["/etc/passwd", "/etc/group"];
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

export class ImageHazards {
  readonly #checked = new BoundedCache<true>("checked-images", { maxEntries: maxChecked });

  /**
   * @param container made of it, not started
   * @throws ImageProblem when its container must not be started; EngineAway, EngineRefusal
   */
  async check(watch: Pick<EngineWatch, "ask">, container: string, image: ImageOfContainer, signal: AbortSignal): Promise<void> {
    const annotations = await watch.ask(({ client }) => client.annotations("containers", container), signal);
    requirePlain(image.name, annotations);
    if (this.#checked.get(image.id)) return;
    for (const path of opened) {
      const found = await watch.ask(({ client }) => client.look(container, path), signal);
      if (found) requireSmallFile(image.name, path, found);
    }
    this.#checked.set(image.id, true);
  }
}

/** Its name in the task, and its id: under that it may be on the engine with manifests of several teams. */
interface ImageOfContainer {
  name: string;
  id: string;
}

function requireSmallFile(image: string, path: string, { kind, sizeBytes }: FoundPath): void {
  if (kind !== "file") throw new ImageProblem(`the image ${image} can't be used: its ${path} is not a file, and engines read it`);
  if (sizeBytes <= maxOpenedBytes) return;
  throw new ImageProblem(
    `the image ${image} can't be used: its ${path} has ${sizeBytes} bytes, and engines read it; at most ${maxOpenedBytes} are possible`,
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
