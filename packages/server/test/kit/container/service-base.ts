/**
 * The base on which CI builds the image of the service if no image registry can be reached: a minimal Debian with apt, built by mmdebstrap
 * for this machine's release, with the Node and npm that run the tests. It trusts the certificates that this machine trusts.
 */
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { cachedTar } from "./task-image.ts";

const run = promisify(execFile);
const packages = "ca-certificates,libstdc++6";
const certificates = "/etc/ssl/certs/ca-certificates.crt";

export const serviceBaseName = "localhost/millrace-base:1";

/** @returns the path of its root file system, built on the first call on this machine (one to two minutes), or why it can't be built */
export async function serviceBaseOrWhy(): Promise<{ tar: string } | { why: string }> {
  const release = /^VERSION_CODENAME=(\w+)$/m.exec(existsSync("/etc/os-release") ? readFileSync("/etc/os-release", "utf8") : "")?.[1];
  const npm = join(dirname(realpathSync(process.execPath)), "../lib/node_modules/npm");
  if (process.getuid?.() !== 0) return { why: "the base of the image takes root" };
  if (release === undefined || !existsSync(npm)) return { why: "the base of the image takes Debian, and an npm beside Node" };
  try {
    return { tar: await cachedTar("service-base", `${release} ${packages} ${process.version} npmrc`, (tar) => build(tar, release, npm)) };
  } catch (error) {
    return { why: `the base of the image can't be built: ${(error as Error).message}` };
  }
}

async function build(tar: string, release: string, npm: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "millrace-base-"));
  try {
    const root = join(folder, "root");
    await run("mmdebstrap", ["--quiet", "--variant=minbase", `--include=${packages}`, release, root]);
    mkdirSync(join(root, "usr/local/lib/node_modules"), { recursive: true });
    cpSync(realpathSync(process.execPath), join(root, "usr/local/bin/node"));
    cpSync(npm, join(root, "usr/local/lib/node_modules/npm"), { recursive: true });
    symlinkSync("../lib/node_modules/npm/bin/npm-cli.js", join(root, "usr/local/bin/npm"));
    if (existsSync(certificates)) {
      cpSync(certificates, join(root, certificates));
      writeFileSync(join(root, "root/.npmrc"), `cafile=${certificates}\n`);
    }
    await run("tar", ["--numeric-owner", "-cf", tar, "-C", root, "--exclude=./dev/*", "."]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
