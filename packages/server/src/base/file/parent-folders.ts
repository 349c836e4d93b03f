import { chmod, mkdir } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Makes a folder that steps have something below, and those on the way to it that are missing. Where a service runs as root, steps are users
 * of their own: they walk through, but can't list. Everywhere else they are its own user, and nobody else may pass: a step can open its
 * workspace to everyone, and put a program in it that runs as that user for everyone (setuid).
 */
export async function makeParentFolders(folder: string, isRoot = process.getuid?.() === 0): Promise<void> {
  const mode = isRoot ? 0o711 : 0o700;
  const first = await mkdir(folder, { recursive: true, mode });
  if (first === undefined) return;
  // Whatever the mask of this process.
  for (let made = folder; made.length >= first.length; made = dirname(made)) await chmod(made, mode);
}
