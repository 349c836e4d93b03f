import { Session } from "node:inspector/promises";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { repositoryRoot } from "../../../src/base/file/repository-root.ts";

/**
 * The source files in which `work` executes a function, as paths in the repository, for each of this many repetitions. Files that are only
 * loaded do not count, nor does code that runs once, on import.
 *
 * Starting to count discards optimized code, and reading the counts goes through all loaded code: both take longer than most work that is
 * measured.
 */
export async function executedFiles(times: number, work: () => Promise<void>): Promise<string[][]> {
  const session = new Session();
  session.connect();
  try {
    await session.post("Profiler.enable");
    await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
    await session.post("Profiler.takePreciseCoverage");
    const all: string[][] = [];
    for (let time = 0; time < times; time++) {
      await work();
      const { result } = await session.post("Profiler.takePreciseCoverage");
      const files = result.filter(({ functions }) =>
        functions.some(({ functionName, ranges }) => functionName !== "" && ranges[0]!.count > 0),
      );
      all.push([...new Set(files.flatMap(({ url }) => sourceFile(url)))].sort());
    }
    return all;
  } finally {
    session.disconnect();
  }
}

function sourceFile(url: string): string[] {
  if (!url.startsWith("file:") && !url.startsWith("/")) return [];
  const file = relative(repositoryRoot, url.startsWith("file:") ? fileURLToPath(url) : url);
  return /^packages\/(server|contract)\/src\//.test(file) ? [file] : [];
}
