// The seccomp profiles under `deploy/`: Docker's default one, and the five system calls that bubblewrap needs to make a sandbox.
//
//   node scripts/deploy/seccomp.mjs DEFAULT.json    writes them from default.json of https://github.com/moby/profiles (seccomp/v0.3.0)
//   node scripts/deploy/seccomp.mjs --check         says whether they are that profile and nothing more
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../install.mjs";

const dockerFile = "deploy/docker/seccomp.json";
const kubernetesFile = "deploy/kubernetes/seccomp.json";
/** Of `JSON.stringify` of that default.json. */
const defaultSha256 = "3e30a4b18c1cab37399d130ba2abfbaa15827f1db45c451253314c635f57907d";

/**
 * Docker denies these to processes without CAP_SYS_ADMIN. In a new user namespace they are all that bubblewrap needs; clone3 stays denied
 * with ENOSYS, and so does setns. The steps themselves can't use any of them: bubblewrap filters their calls once more.
 */
const addition = {
  names: ["clone", "mount", "pivot_root", "umount2", "unshare"],
  action: "SCMP_ACT_ALLOW",
  comment: "Millrace: bubblewrap makes the sandbox of a step in a user namespace of its own.",
};

const architectures = ["SCMP_ARCH_X86_64", "SCMP_ARCH_X86", "SCMP_ARCH_X32", "SCMP_ARCH_AARCH64", "SCMP_ARCH_ARM"];
const namesOfArchitectures = ["amd64", "x86", "x32", "arm64", "arm"];

/** Kubernetes has no conditions: what Docker decides for each container is decided here, for one without capabilities. */
function forKubernetes({ defaultAction, defaultErrnoRet, syscalls }) {
  const applies = ({ includes = {}, excludes = {} }) => {
    const isFor = (arches) => arches.some((name) => namesOfArchitectures.includes(name));
    return includes.caps === undefined && (includes.arches === undefined || isFor(includes.arches)) && !isFor(excludes.arches ?? []);
  };
  const resolved = syscalls.filter(applies).map(({ names, action, args, errnoRet }) => ({ names, action, args, errnoRet }));
  return { defaultAction, defaultErrnoRet, architectures, syscalls: resolved };
}

function check() {
  const docker = readJson(dockerFile);
  const rest = { ...docker, syscalls: docker.syscalls.slice(0, -1) };
  const problems = [
    ...(sha256(rest) === defaultSha256 ? [] : [`${dockerFile} is not the default profile of Docker with one more entry`]),
    ...(isSame(docker.syscalls.at(-1), addition) ? [] : [`the last entry of ${dockerFile} is not the one of scripts/deploy/seccomp.mjs`]),
    ...(isSame(readJson(kubernetesFile), forKubernetes(docker)) ? [] : [`${kubernetesFile} does not say the same as ${dockerFile}`]),
  ];
  for (const problem of problems) console.log(problem);
  return problems.length === 0;
}

function write(from) {
  const profile = JSON.parse(readFileSync(from, "utf8"));
  if (sha256(profile) !== defaultSha256) console.log(`another profile than before: defaultSha256 is ${sha256(profile)}`);
  const docker = { ...profile, syscalls: [...profile.syscalls, addition] };
  for (const [file, content] of Object.entries({ [dockerFile]: docker, [kubernetesFile]: forKubernetes(docker) }))
    writeFileSync(join(root, file), `${JSON.stringify(content, null, 2)}\n`);
}

const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const sha256 = (value) => createHash("sha256").update(JSON.stringify(value)).digest("hex");
const readJson = (file) => JSON.parse(readFileSync(join(root, file), "utf8"));

const [argument] = process.argv.slice(2);
if (argument === "--check") process.exitCode = check() ? 0 : 1;
else if (argument !== undefined) write(argument);
else console.log("node scripts/deploy/seccomp.mjs DEFAULT.json | --check");
