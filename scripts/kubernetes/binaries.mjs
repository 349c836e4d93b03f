// The programs of the test cluster: those in Debian packages are installed, those that Debian has only as source are built and cached.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, createWriteStream, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
// biome-ignore lint/correctness/useImportExtensions: the declaration beside it is not what runs
import { takeLock } from "../lock.mjs";

const version = "1.20.2";
const buildScript = fileURLToPath(new URL("build.sh", import.meta.url));
const programs = ["kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubelet"];

/** A file of each package that is needed, by the package's name. */
const packagesToRun = {
  "etcd-server": "/usr/bin/etcd",
  containerd: "/usr/bin/containerd",
  runc: "/usr/sbin/runc",
  "containernetworking-plugins": "/usr/lib/cni/bridge",
  "busybox-static": "/usr/bin/busybox",
  iproute2: "/usr/sbin/ip",
  "util-linux": "/usr/bin/nsenter",
};
const packagesToBuild = {
  "golang-1.19-go": "/usr/lib/go-1.19/bin/go",
  rsync: "/usr/bin/rsync",
  jq: "/usr/bin/jq",
  make: "/usr/bin/make",
  gcc: "/usr/bin/gcc",
  "ca-certificates": "/etc/ssl/certs/ca-certificates.crt",
};

/** Named after a hash of the script: if the build changes, it is built again. */
function cacheFolder() {
  const hash = createHash("sha256").update(readFileSync(buildScript)).digest("hex").slice(0, 12);
  return join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "millrace", `kubernetes-${version}-${hash}`);
}

const missingOf = (packages) => Object.keys(packages).filter((name) => !existsSync(packages[name]));
const isBuilt = (folder) => programs.every((name) => existsSync(join(folder, name)));

/**
 * What is installed already.
 * @returns {{folder: string} | {why: string}}
 */
export function findKubernetes() {
  const why = whyNotHere();
  if (why !== undefined) return { why };
  const missing = missingOf(packagesToRun);
  if (missing.length > 0) return { why: `these Debian packages are missing: ${missing.join(", ")}` };
  const folder = cacheFolder();
  if (!isBuilt(folder)) return { why: `Kubernetes is not built yet; npm run test:kubernetes builds it into ${folder}` };
  return { folder };
}

function whyNotHere() {
  if (process.platform !== "linux") return `a cluster needs Linux, this is ${process.platform}`;
  if (process.getuid?.() !== 0) return "a cluster needs root: its containers have control groups, mounts and a network of their own";
  return undefined;
}

/**
 * Installs and builds what is missing, once.
 * @param {{say: (line: string) => void}} options
 * @returns {Promise<{folder: string} | {why: string}>}
 */
export async function prepareKubernetes({ say }) {
  const why = whyNotHere();
  if (why !== undefined) return { why };
  const folder = cacheFolder();
  mkdirSync(dirname(folder), { recursive: true });
  const lock = await takeLock(`${folder}.lock`, { onWait: () => say("another command builds Kubernetes; waiting for it …") });
  try {
    const wanted = isBuilt(folder) ? packagesToRun : { ...packagesToRun, ...packagesToBuild };
    const problem = await installMissing(missingOf(wanted), say);
    if (problem !== undefined) return { why: problem };
    return isBuilt(folder) ? { folder } : await build(folder, { say, lock });
  } finally {
    lock.free();
  }
}

async function build(folder, { say, lock }) {
  const startedAt = performance.now();
  const seconds = () => Math.round((performance.now() - startedAt) / 1000);
  say(`building Kubernetes ${version} from Debian's source, about 5 minutes; this happens once …`);
  const draft = `${folder}.new`;
  rmSync(draft, { recursive: true, force: true });
  const progress = setInterval(() => say(`… still building Kubernetes (${seconds()} s)`), 60_000);
  const log = `${folder}.log`;
  const code = await run([buildScript, draft], { log, lock });
  clearInterval(progress);
  if (code !== 0) return { why: `Kubernetes could not be built; the end of ${log}:\n${lastLines(log)}` };
  rmSync(folder, { recursive: true, force: true });
  renameSync(draft, folder);
  say(`Kubernetes ${version} built in ${seconds()} s`);
  return { folder };
}

/** @returns what is wrong, undefined if everything is installed */
async function installMissing(missing, say) {
  if (missing.length === 0) return undefined;
  const names = missing.join(", ");
  if (!isDebian12()) return `these packages of Debian 12 are missing, and this is another system: ${names}`;
  say(`installing ${names}`);
  const policy = forbidServices();
  const log = `${cacheFolder()}.install.log`;
  try {
    const apt = ["apt-get", "-qq", "-o", "Acquire::Retries=3", "-o", "Dpkg::Use-Pty=0"];
    await run([...apt, "update"], { log });
    if ((await run([...apt, "install", "-y", "--no-install-recommends", ...missing], { log })) === 0) return undefined;
    return `these Debian packages could not be installed: ${names}\n${lastLines(log)}`;
  } finally {
    policy.restore();
  }
}

function isDebian12() {
  return existsSync("/etc/os-release") && /^VERSION_CODENAME=bookworm$/m.test(readFileSync("/etc/os-release", "utf8"));
}

/** Server packages start their servers on installation, unless this file says no. It is restored afterwards. */
function forbidServices() {
  const file = "/usr/sbin/policy-rc.d";
  const before = existsSync(file) ? { text: readFileSync(file), mode: statSync(file).mode } : undefined;
  writeFileSync(file, "#!/bin/sh\nexit 101\n");
  chmodSync(file, 0o755);
  const putBack = () => {
    writeFileSync(file, before.text);
    chmodSync(file, before.mode);
  };
  return { restore: before === undefined ? () => rmSync(file) : putBack };
}

function run([file, ...args], { log, lock }) {
  const output = createWriteStream(log, { flags: "w" });
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const child = spawn(file, args, { stdio: ["ignore", "pipe", "pipe"], env });
  if (child.pid !== undefined) lock?.addOwner(child.pid);
  child.stdout.pipe(output, { end: false });
  child.stderr.pipe(output, { end: false });
  return new Promise((done) => {
    child.on("error", (error) => {
      output.end(String(error));
      done(127);
    });
    child.on("close", (code) => output.end(() => done(code ?? 1)));
  });
}

function lastLines(log) {
  return readFileSync(log, "utf8").trimEnd().split("\n").slice(-15).join("\n");
}
