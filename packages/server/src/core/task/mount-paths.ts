/**
 * Where steps see workspaces. Paths that users chose are only compared as text and never resolved on a machine, where a link created by a
 * step could redirect them. For the same reason no mount may be inside another one: the inner path would be resolved in a folder that steps
 * can write.
 */

const maxLength = 1024;
const maxNameLength = 255;

/** What is wrong with a mount path, to follow "mountPath" or a similar name; undefined: nothing. */
export function mountPathFault(path: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
  if (!path.startsWith("/") || /\/\.{1,2}(\/|$)/.test(path) || /[\u0000-\u001f\u007f]/.test(path))
    return "must be an absolute path without . and .. and without control characters, such as /workspace/source";
  // A file system may map every half of a surrogate pair to the same replacement: two paths that differ here could be the same there.
  if (/\p{Surrogate}/u.test(path)) return "must not contain half of a surrogate pair, which is not a character";
  if (path.length > maxLength || path.split("/").some((name) => Buffer.byteLength(name) > maxNameLength))
    return `must have at most ${maxLength} characters, and at most ${maxNameLength} bytes between two slashes`;
  return undefined;
}

/** The same path with single slashes and without one at its end. */
export function canonicalMountPath(path: string): string {
  const names = path.split("/").filter((name) => name !== "");
  return `/${names.join("/")}`;
}

export interface NamedMount {
  name: string;
  /** Canonical. */
  path: string;
}

/** Two mounts, one of which is at or below the other; undefined if there are none. */
export function findMountConflict<M extends NamedMount>(mounts: readonly M[]): { inner: M; outer: M } | undefined {
  // In this order, everything at or below a path directly follows it.
  const sorted = [...mounts].sort((one, other) => compare(`${one.path}/`, `${other.path}/`));
  for (const [index, inner] of sorted.entries()) {
    const outer = sorted[index - 1];
    if (outer && isAtOrBelow(inner.path, outer.path)) return { inner, outer };
  }
  return undefined;
}

/** @param path canonical, as `folder` */
export function isAtOrBelow(path: string, folder: string): boolean {
  return path === folder || folder === "/" || path.startsWith(`${folder}/`);
}

/** Describes for people what is wrong with two conflicting mounts. */
export function describeMountConflict({ inner, outer }: { inner: NamedMount; outer: NamedMount }, what = "workspaces"): string {
  const where = inner.path === outer.path ? `both at ${inner.path}` : `at ${outer.path} and below it at ${inner.path}`;
  return `${what} "${outer.name}" and "${inner.name}" can't be mounted ${where}: mount them at paths that don't contain each other`;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
