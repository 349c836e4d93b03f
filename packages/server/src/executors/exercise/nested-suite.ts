import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { systemPath } from "../../base/process/system-path.ts";

export const repository = fileURLToPath(new URL("../../../../..", import.meta.url));

export interface NestedSuite {
  /** Path of the test file in the repository. */
  file: string;
  /** For caches and temporary files. */
  folder: string;
  /** A program that gives up some rights and then executes the suite, with its arguments. */
  through?: readonly string[];
  user?: { uid: number; gid: number };
  env: Record<string, string>;
}

/** Runs a test file again, with fewer rights than this process has. */
export async function runNestedSuite({
  file,
  folder,
  through = [],
  user,
  env,
}: NestedSuite): Promise<{ code: number | null; output: string }> {
  // The limits of the suite itself, see vitest.config.ts.
  const test = { include: [file], pool: "forks", testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 15_000 } } };
  const config = join(folder, "vitest.config.mjs");
  await writeFile(config, `export default ${JSON.stringify({ root: repository, cacheDir: join(folder, "cache"), test })};\n`);
  const vitest = join(repository, "node_modules/vitest/vitest.mjs");
  const [program = "", ...args] = [...through, process.execPath, vitest, "run", "--config", config, "--reporter=verbose"];
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: repository,
      ...user,
      env: { PATH: systemPath, HOME: folder, TMPDIR: folder, NO_COLOR: "1", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    child.on("error", reject).on("close", (code) => resolve({ code, output }));
  });
}
