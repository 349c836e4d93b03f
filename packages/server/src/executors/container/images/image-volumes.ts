import { rmSync } from "node:fs";
import { posix } from "node:path";
import { isAtOrBelow } from "../../../core/task/mount-paths.ts";
import { type Attempt, makeWritable } from "../../folders/attempt-folder.ts";
import { StepProblem } from "../../steps/step-problem.ts";
import type { StepMount } from "../step-mounts.ts";

/**
 * Folders that an image declares as volumes (`VOLUME`). By default the engine creates a volume of its own for each: writable even if the
 * root isn't, without a limit, and not always removed. So each is covered by an empty folder of the attempt, which is measured and removed
 * with it.
 */

/** More than any real image has; each costs a mount. */
const maxVolumes = 50;

/**
 * Creates the folders. Each step has its own: in one that another step has used, there could be a link where the engine creates the target
 * of another mount.
 *
 * @param paths as declared by the image. The engine treats a relative one as different from our mount at the same path: it creates a volume
 * all
 *   the same, and copies the image's files there.
 * @param mounts what the step sees anyway; a volume at the same path is already covered
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
      path === "/" ? "is its root" : writable.some((target) => isAtOrBelow(path, target)) ? "is in a folder of the task" : undefined;
    if (fault !== undefined) throw new StepProblem(`the image declares the volume ${path}, which ${fault}; use an image without it`);
    const source = `${attempt.writable}/volume-${step}-${index}`;
    // A worker that died before the container was created may have left it; no step has used it.
    rmSync(source, { recursive: true, force: true });
    makeWritable(source, attempt.identity);
    return { source, target: path, isReadOnly: false };
  });
}

/** Normalized as by the engine: without `..`. */
function canonical(path: string): string {
  const normal = posix.normalize(path);
  return normal === "/" ? normal : normal.replace(/\/+$/, "");
}
