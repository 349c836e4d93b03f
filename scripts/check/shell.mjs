// shellcheck checks every shell program of the repository, found by name (`*.sh`) or by its first line. It is not an npm package: if it is
// missing, the step is skipped with a message, except in CI, where .ci/prepare installs it.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root, sourceFiles } from "./sources.mjs";

const isShell = (file) => file.endsWith(".sh") || /^#!.*\b(?:ba|da|k)?sh\b/.test(readFileSync(join(root, file), "utf8").slice(0, 100));
// Programs without an extension, and those with a shell's extension.
const files = sourceFiles(/(?:^|\/)[^/.]+$|\.sh$/).filter(isShell);

const found = spawnSync("shellcheck", ["--external-sources", "--source-path=SCRIPTDIR", "--format=gcc", ...files], {
  cwd: root,
  encoding: "utf8",
});
if (found.error?.code === "ENOENT") {
  const isRequired = process.env.CI === "true";
  console.log(
    `${isRequired ? "not run" : "SKIPPED"}: there is no shellcheck; install the package "shellcheck" of your system (Debian: apt-get install shellcheck)`,
  );
  process.exitCode = isRequired ? 1 : 0;
} else {
  console.log(found.error ? String(found.error) : `${found.stdout}${found.stderr}${files.length} files`);
  process.exitCode = found.status === 0 ? 0 : 1;
}
