/**
 * A root file system from packages of the distribution, without installing anything: apt computes the dependency closure for an empty list
 * of installed packages, and the packages are only unpacked. No scripts of packages run, so what they would have created (links, users) is
 * created here. Needs neither root nor a container engine.
 */
import { execFile } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

const wanted =
  "bash dash coreutils grep sed mawk findutils util-linux git make curl tar gzip procps diffutils hostname mount python3-minimal libpython3-stdlib libstdc++6 libgcc-s1";
/** Parts of the closure that are not needed here: git's Perl parts, the package manager. */
const unwanted =
  /^(perl|perl-base|perl-modules-.*|libperl.*|lib.*-perl|usrmerge|git-man|dpkg|debconf|init-system-helpers|gcc-.*-base|util-linux-extra)$/;
const unused = ["usr/share/doc", "usr/share/man", "usr/share/info", "usr/share/locale", "usr/share/bash-completion", "usr/share/lintian"];

/** Every change of the file system must change this text. */
export function rootfsRecipe(): string {
  return JSON.stringify(["2", wanted, String(unwanted), unused, process.version, process.arch, statSync(process.execPath).size]);
}

/** @throws with the name of the program that is missing or failed, and its output */
export async function buildTaskRootfs(tar: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "millrace-rootfs-"));
  try {
    const packages = join(folder, "packages");
    await download(folder, packages);
    const root = join(folder, "root");
    makeSkeleton(root);
    for (const name of readdirSync(packages)) await unpack(join(packages, name), root);
    for (const path of unused) rmSync(join(root, path), { recursive: true, force: true });
    finish(root);
    await addNode(root);
    await pack(root, tar);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Uses the machine's package lists; if they are missing or too old, fresh ones are downloaded to a separate folder. */
async function download(folder: string, packages: string): Promise<void> {
  mkdirSync(packages);
  writeFileSync(join(folder, "status"), "");
  const own = ["-qq", "-o", `Dir::State::status=${folder}/status`, "-o", "APT::Install-Recommends=0", "-o", "APT::Sandbox::User="];
  const caches = ["-o", "Dir::Cache::pkgcache=", "-o", "Dir::Cache::srcpkgcache=", "-o", "Debug::NoLocking=1", "-o", "Acquire::Retries=3"];
  const lists = join(folder, "lists");
  const fetchAll = async (options: string[]): Promise<void> => {
    const uris = await tool("apt-get", [...options, "--print-uris", "-y", "install", ...wanted.split(" ")]);
    const names = [...uris.matchAll(/^'\S+' ([^_\s]+)_/gm)].map((match) => match[1] as string);
    await tool("apt-get", [...options, "download", ...names.filter((name) => !unwanted.test(name))], packages);
  };
  try {
    await fetchAll([...own, ...caches]);
  } catch {
    mkdirSync(join(lists, "partial"), { recursive: true });
    const fresh = [...own, ...caches, "-o", `Dir::State::lists=${lists}`];
    await tool("apt-get", [...fresh, "update"]);
    await fetchAll(fresh);
  }
}

/** The merged /usr of current distributions, which older packages don't have, and folders that an engine mounts on. */
function makeSkeleton(root: string): void {
  for (const name of ["bin", "sbin", "lib", "lib64"]) {
    mkdirSync(join(root, "usr", name), { recursive: true });
    symlinkSync(`usr/${name}`, join(root, name));
  }
  for (const name of ["dev", "etc", "home", "mnt", "opt", "proc", "root", "run", "srv", "sys", "tmp", "var/tmp", "usr/local/bin"])
    mkdirSync(join(root, name), { recursive: true });
}

async function unpack(file: string, root: string): Promise<void> {
  const data = `${file}.tar`;
  await tool("sh", ["-c", 'dpkg-deb --fsys-tarfile "$1" > "$2"', "sh", file, data]);
  await tool("tar", ["-xf", data, "-C", root, "--keep-directory-symlink", "--no-same-owner", "--delay-directory-restore"]);
  rmSync(data);
}

/** What the scripts of the packages would have created. */
function finish(root: string): void {
  const links = { awk: "mawk", sh: "dash", which: "which.debianutils" };
  for (const [name, target] of Object.entries(links)) {
    if (!existsSync(join(root, "usr/bin", name))) symlinkSync(target, join(root, "usr/bin", name));
  }
  writeFileSync(join(root, "etc/passwd"), "root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n");
  writeFileSync(join(root, "etc/group"), "root:x:0:\nnogroup:x:65534:\n");
  writeFileSync(join(root, "etc/nsswitch.conf"), "passwd: files\ngroup: files\nhosts: files dns\n");
}

/** This Node, with the libraries that it needs and that the packages don't contain. */
async function addNode(root: string): Promise<void> {
  copyFileSync(realpathSync(process.execPath), join(root, "usr/local/bin/node"));
  const libraries = [...(await tool("ldd", [process.execPath])).matchAll(/=> (\/\S+)/g)].map((match) => match[1] as string);
  for (const library of libraries) {
    if (existsSync(join(root, library)) || existsSync(join(root, "usr", library))) continue;
    mkdirSync(join(root, dirname(library)), { recursive: true });
    copyFileSync(realpathSync(library), join(root, dirname(library), basename(library)));
  }
}

/** Everything is owned by root, and nothing grants privileges. */
async function pack(root: string, tar: string): Promise<void> {
  const common = ["--numeric-owner", "--owner=0", "--group=0", "--sort=name", "--mtime=2026-01-01 00:00Z"];
  await tool("tar", [...common, "--mode=u+rwX,go+rX,go-w,ug-s", "-cf", tar, "-C", root, "--exclude=./tmp", "--exclude=./var/tmp", "."]);
  await tool("tar", [...common, "--mode=1777", "--no-recursion", "-rf", tar, "-C", root, "./tmp", "./var/tmp"]);
}

async function tool(file: string, args: string[], cwd?: string): Promise<string> {
  try {
    const { stdout } = await run(file, args, {
      ...(cwd === undefined ? {} : { cwd }),
      maxBuffer: 64 << 20,
      env: { ...process.env, LC_ALL: "C" },
    });
    return stdout;
  } catch (error) {
    const { code, stderr } = error as { code: unknown; stderr?: string };
    if (code === "ENOENT") throw new Error(`${file} is not there; it takes Debian or one of its relatives`);
    throw new Error(`${file} ended with ${code}: ${(stderr ?? "").trim().split("\n").at(-1)}`);
  }
}
