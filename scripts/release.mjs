// `npm run release -- VERSION [--no-tag]`: creates a release of the current commit, in dist/release/VERSION. If the version or the
// changelog is not yet that of the release, it updates and commits both first. It can be repeated: the tag comes last.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Remedy, root } from "./install.mjs";
import { archiveChart } from "./release/archive-chart.mjs";
// biome-ignore lint/correctness/useImportExtensions: the declaration beside it is not what runs
import { releaseChangelog } from "./release/changelog.mjs";
import { packClient } from "./release/pack-client.mjs";
import { setVersion } from "./release/versions.mjs";
import { runInstalled } from "./run.mjs";

await runInstalled(async () => {
  const { version, isTagged } = readArguments();
  const tag = `v${version}`;
  if (isTagged && git("tag", "--list", tag) !== "") throw new Remedy(`the tag ${tag} exists already: a version is released once`);
  refuseChanges("commit them, or put them away, first");
  prepare(version);
  const folder = join(root, "dist/release", version);
  const draft = `${folder}.part`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  await build(draft, version);
  refuseChanges("they came up during the build; commit what it generates, and repeat");
  rmSync(folder, { recursive: true, force: true });
  renameSync(draft, folder);
  if (isTagged) git("tag", "--annotate", tag, "--message", `Millrace ${version}`);
  if (!existsSync(join(root, "packages/server/test/upgrade", `${version}.json`)))
    console.error("millrace: no database of this version is kept for the tests of later ones yet: node scripts/upgrade-dump.mjs");
  console.log(readFileSync(join(folder, "SHA256SUMS"), "utf8").trim());
  console.log(
    `millrace: ${version} is in ${folder}${isTagged ? `, tagged as ${tag}: git push --follow-tags publishes it` : ", without a tag"}`,
  );
});

function readArguments() {
  const usage = "use npm run release -- VERSION [--no-tag], with a version such as 0.2.0 or 0.2.0-rc.1";
  try {
    const { values, positionals } = parseArgs({ options: { "no-tag": { type: "boolean" } }, allowPositionals: true });
    const [version = ""] = positionals;
    if (positionals.length === 1 && /^\d+\.\d+\.\d+(-[a-z]+\.\d+)?$/.test(version)) return { version, isTagged: !values["no-tag"] };
  } catch {
    // answered below
  }
  throw new Remedy(usage);
}

function refuseChanges(remedy) {
  const changes = git("status", "--porcelain").split("\n").filter(Boolean);
  if (changes.length === 0) return;
  const more = changes.length > 5 ? `, and ${changes.length - 5} more` : "";
  const named = changes.slice(0, 5).map((line) => line.trim().replace(/^\S+\s+/, ""));
  throw new Remedy(`there are changes that are not committed (${named.join(", ")}${more}): ${remedy}`);
}

/** Updates the version and the changelog, with a commit if that changes something. */
function prepare(version) {
  const file = join(root, "CHANGELOG.md");
  const before = readFileSync(file, "utf8");
  const after = changelogOf(before, { version, date: new Date().toISOString().slice(0, 10) });
  const isSet = setVersion(root, version);
  if (!isSet && after === before) return;
  writeFileSync(file, after);
  git("commit", "--quiet", "--all", "--message", `release: ${version}`);
}

function changelogOf(text, release) {
  try {
    return releaseChangelog(text, release);
  } catch (error) {
    throw new Remedy(error.message);
  }
}

async function build(folder, version) {
  const { status } = spawnSync(process.execPath, [join(root, "scripts/pack.mjs"), folder], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) throw new Remedy("the file to install could not be built; the lines above say why");
  const { license, engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  await packClient(folder, { version, license, engines });
  await archiveChart(join(root, "deploy/helm/millrace"), { name: "millrace", file: join(folder, `millrace-chart-${version}.tgz`) });
  const sums = readdirSync(folder)
    .filter((name) => name !== "SHA256SUMS")
    .sort()
    .map(
      (name) =>
        `${createHash("sha256")
          .update(readFileSync(join(folder, name)))
          .digest("hex")}  ${name}\n`,
    );
  writeFileSync(join(folder, "SHA256SUMS"), sums.join(""));
}

function git(...args) {
  return execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }).trimEnd();
}
