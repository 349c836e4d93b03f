import { posix } from "node:path";
import { isAtOrBelow } from "../../../core/task/mount-paths.ts";
import type { FoundPath } from "../engine/engine-client.ts";
import { ImageProblem } from "./image-problem.ts";

/**
 * Resolves the paths that an engine uses in an image. A link in the image can redirect a mount point into a folder that steps write to. The
 * engine would then resolve it there, as root and partly on the machine itself: a step that replaces a folder with a link in the meantime
 * could have the mount made anywhere. Links within the image are harmless, since nobody writes to it.
 */

/** Engines open these as root, whichever user the step has. */
export const userFiles = ["/etc/passwd", "/etc/group"];

/** Engines mount something here themselves. */
const enginePlaces = {
  docker: ["/etc/hosts", "/etc/hostname", "/etc/resolv.conf", "/dev", "/sbin/docker-init"],
  podman: ["/etc/hosts", "/etc/hostname", "/etc/resolv.conf", "/dev", "/run/podman-init"],
};

/** What exists at a path of the image whose parent folders are not links; undefined: nothing. */
type Look = (path: string) => Promise<FoundPath | undefined>;

const maxLinks = 16;

/**
 * @param targets where the step has mounts
 * @throws ImageProblem if links of the image redirect a path into a mount
 */
export async function requireOwnPlaces(
  image: string,
  kind: keyof typeof enginePlaces,
  targets: readonly string[],
  look: Look,
): Promise<void> {
  const mounts: { path: string; real: string }[] = [];
  for (const path of targets) mounts.push({ path, real: await resolve(image, path, look) });
  const others: typeof mounts = [];
  for (const path of [...userFiles, ...enginePlaces[kind]]) others.push({ path, real: await resolve(image, path, look) });
  for (const { path, real } of [...mounts, ...others]) {
    // Two mounts at the same path hide each other, and nothing is looked up in either.
    const inside = mounts.find((mount) => mount.path !== path && mount.real !== real && isLed({ path, real }, mount));
    if (inside)
      throw new ImageProblem(
        `the image ${image} can't be used: its links lead ${path} to ${real}, which is inside of ${inside.path}, a folder of the task`,
      );
  }
}

function isLed(place: { path: string; real: string }, mount: { path: string; real: string }): boolean {
  return isAtOrBelow(place.real, mount.real) && !isAtOrBelow(place.path, mount.path);
}

/** @throws ImageProblem if its links form a cycle */
async function resolve(image: string, path: string, look: Look): Promise<string> {
  let at = "/";
  let rest = path.split("/").filter(Boolean);
  for (let links = 0; rest.length > 0; ) {
    const [name = "", ...more] = rest;
    const next = posix.join(at, name);
    const found = await look(next);
    if (found === undefined) return posix.join(next, ...more);
    if (found.kind === "link") {
      if (++links > maxLinks) throw new ImageProblem(`the image ${image} can't be used: its ${path} leads through too many links`);
      rest = [...posix.resolve(at, found.target).split("/").filter(Boolean), ...more];
      at = "/";
    } else {
      at = next;
      rest = more;
    }
  }
  return at;
}
