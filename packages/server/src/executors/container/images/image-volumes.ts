import { rmSync } from "node:fs";
import { posix } from "node:path";
import { isAtOrBelow } from "../../../core/task/mount-paths.ts";
import { type Attempt, makeWritable } from "../../folders/attempt-folder.ts";
import { StepProblem } from "../../steps/step-problem.ts";
import type { StepMount } from "../step-mounts.ts";

/**
 * Folders that an image declares as volumes (`VOLUME`). Left alone the engine makes a volume of its own for each: writable whatever
 * the root is, without a limit, and not always removed. So each is covered by an empty folder of the attempt, which is measured and
 * removed with it.
 */

/** More than any image of use has; each costs a mount. */
const maxVolumes = 50;

/**
 * Makes the folders. Each step has its own: in one that a step has used, a link could lie where the engine makes the place of
 * another mount.
 *
 * @param paths as the image says them. One that is relative the engine takes for another than ours at the same place: it makes a
 *   volume all the same, and copies there what the image has.
 * @param mounts what the step sees anyway; a volume in the same place is covered already
 * @throws StepProblem where a volume can't be covered
 */
export function coverVolumes(attempt: Attempt, step: number, paths: readonly string[], mounts: readonly StepMount[]): StepMount[] {
  const relative = paths.find((path) => !path.startsWith("/"));
  if (relative !== undefined)
    throw new StepProblem(`the image declares the volume ${JSON.stringify(relative)}, which is no absolute path; use an image without it`);
  const targets = new Set(mounts.map(({ target }) => target));
  const open = [...new Set(paths.map(canonical))].filter((path) => !targets.has(path));
  if (open.length > maxVolumes) throw new StepProblem(`the image declares ${open.length} volumes; at most ${maxVolumes} are allowed`);
  const writable = mounts.filter(({ isReadOnly }) => !isReadOnly).map(({ target }) => target);
  return open.map((path, index) => {
    const fault =
      path === "/" ? "is its root" : writable.some((target) => isAtOrBelow(path, target)) ? "lies in a folder of the task" : undefined;
    if (fault !== undefined) throw new StepProblem(`the image declares the volume ${path}, which ${fault}; use an image without it`);
    const source = `${attempt.writable}/volume-${step}-${index}`;
    // A worker that died before the container was made may have left it; no step has used it.
    rmSync(source, { recursive: true, force: true });
    makeWritable(source, attempt.identity);
    return { source, target: path, isReadOnly: false };
  });
}

/** As the engine takes it: without `..`. */
function canonical(path: string): string {
  const normal = posix.normalize(path);
  return normal === "/" ? normal : normal.replace(/\/+$/, "");
}
