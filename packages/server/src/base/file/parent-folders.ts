import { chmod, mkdir } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Creates a folder that contains files of steps, and its missing parents. If the service runs as root, steps have users of their own: they
 * can pass through, but not list. Otherwise they run as its own user, and nobody else may pass: a step can make its workspace accessible to
 * everyone, and put a setuid program in it that runs as that user for everyone.
 */
export async function makeParentFolders(folder: string, isRoot = process.getuid?.() === 0): Promise<void> {
  const mode = isRoot ? 0o711 : 0o700;
  const first = await mkdir(folder, { recursive: true, mode });
  if (first === undefined) return;
  // Regardless of the umask of this process.
  for (let made = folder; made.length >= first.length; made = dirname(made)) await chmod(made, mode);
}
