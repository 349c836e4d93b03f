import { copyFile, lstat, mkdir, readdir, readlink, realpath, stat, symlink, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { isAtOrBelow } from "../../../core/task/mount-paths.ts";

/** The machine's own files that a step with its own file system sees, read-only. */
export interface SystemFiles {
  /** Folders bound at the same path. */
  folders: string[];
  /** Links of the root folder into these folders: `/bin` -> `usr/bin`. */
  links: { path: string; target: string }[];
}

/** Programs and libraries; never the whole of /home, /root, /var, /srv or /run. */
const programFolders = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix", "/gnu", "/run/current-system"];

/** @param root of the machine's files */
export async function findSystemFiles(root = ""): Promise<SystemFiles> {
  const files: SystemFiles = { folders: [], links: [] };
  for (const path of programFolders) {
    const found = await lstat(root + path).catch(() => undefined);
    if (found?.isSymbolicLink()) files.links.push({ path, target: await readlink(root + path) });
    else if (found?.isDirectory()) files.folders.push(path);
  }
  // A link to anywhere else (`/opt` -> `var/opt`) would lead into a workspace that is mounted there, and its files decide where it leads
  // next.
  const leadsInside = await Promise.all(
    files.links.map(async ({ path }) => {
      const real = await realpath(root + path).catch(() => undefined);
      return real !== undefined && files.folders.some((folder) => isAtOrBelow(real, root + folder));
    }),
  );
  return { ...files, links: files.links.filter((_, index) => leadsInside[index]) };
}

/** Every path at which the sandbox shows something of the machine: nothing is mounted at, below or above one of them. */
export function shownPaths({ folders, links }: SystemFiles): string[] {
  return [...folders, ...links.map(({ path }) => path)];
}

/**
 * Of /etc only what programs need to run, by name: an unknown file there may contain a key. The list of users is our own: one for the
 * steps.
 */
const etcNames =
  /^(alternatives|bash\.bashrc|ca-certificates(\.conf)?|crypto-policies|debian_version|fonts|gai\.conf|host\.conf|hosts|inputrc|java.*|jvm.*|ld\.so\.(cache|conf|conf\.d)|ld-musl-.*|localtime|magic(\.mime)?|mime\.types|networks|nsswitch\.conf|os-release|perl|php.*|pki|profile|protocols|python.*|resolv\.conf|rpc|services|ssl|terminfo|timezone|xml)$/;

const passwd =
  "root:x:0:0:root:/root:/bin/sh\ntask:x:1000:1000:task:/task/home:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/bin/false\n";
const group = "root:x:0:\ntask:x:1000:\nnogroup:x:65534:\n";

/** Copies what everyone may read; the modes of private keys in /etc/ssl exclude them. */
export async function copyEtc(target: string, source = "/etc"): Promise<void> {
  const names = (await readdir(source).catch(() => [])).filter((name) => etcNames.test(name));
  await Promise.all(names.map((name) => copyReadable(join(source, name), join(target, name))));
  await Promise.all([writeFile(join(target, "passwd"), passwd), writeFile(join(target, "group"), group)]);
}

/** Names are resolved with the machine's current settings, not those from the start of the service. */
export async function refreshResolver(etc: string): Promise<void> {
  await copyFile("/etc/resolv.conf", join(etc, "resolv.conf")).catch(() => undefined);
}

async function copyReadable(from: string, to: string): Promise<void> {
  const found = await lstat(from).catch(() => undefined);
  if (found === undefined) return;
  if (found.isSymbolicLink()) return copyLink(from, to);
  if (found.isDirectory()) return (found.mode & 0o005) === 0o005 ? copyFolder(from, to) : undefined;
  if (found.isFile() && (found.mode & 0o004) !== 0) await copyFile(from, to).catch(() => undefined);
}

async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  const names = await readdir(from).catch(() => []);
  await Promise.all(names.map((name) => copyReadable(join(from, name), join(to, name))));
}

/** A link to what steps see stays a link; for any other link, the target is copied if everyone may read it. */
async function copyLink(from: string, to: string): Promise<void> {
  const target = await readlink(from);
  if (/^\/(usr|etc)\//.test(resolve(dirname(from), target))) return symlink(target, to).catch(() => undefined);
  const real = await realpath(from).catch(() => undefined);
  const found = real === undefined ? undefined : await stat(real).catch(() => undefined);
  if (real && found?.isFile() && (found.mode & 0o004) !== 0) await copyFile(real, to).catch(() => undefined);
}
