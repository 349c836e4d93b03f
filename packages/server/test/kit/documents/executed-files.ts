import { Session } from "node:inspector/promises";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { repositoryRoot } from "../../../src/base/file/repository-root.ts";

/**
 * The files of the sources of which `work` executes a function, as paths in the repository, for each of so many times. What is only loaded
 * does not count, nor does what a file does once, when it is imported.
 *
 * To begin to count throws away what was compiled well, and to look at the counts passes them for all that is loaded: both take longer than
 * most works.
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
