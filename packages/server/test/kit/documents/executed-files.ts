import { Session } from "node:inspector/promises";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { repositoryRoot } from "../../../src/base/file/repository-root.ts";

/**
 * The files of the sources of which `work` executes a function, as paths in the repository. What is only loaded does not count, nor does what
 * a file does once, when it is imported.
 */
export async function executedFiles(work: () => Promise<void>): Promise<string[]> {
  const session = new Session();
  session.connect();
  try {
    await session.post("Profiler.enable");
    await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
    await session.post("Profiler.takePreciseCoverage");
    await work();
    const { result } = await session.post("Profiler.takePreciseCoverage");
    const files = result.filter(({ functions }) =>
      functions.some(({ functionName, ranges }) => functionName !== "" && ranges[0]!.count > 0),
    );
    return [...new Set(files.flatMap(({ url }) => sourceFile(url)))].sort();
  } finally {
    session.disconnect();
  }
}

function sourceFile(url: string): string[] {
  if (!url.startsWith("file:") && !url.startsWith("/")) return [];
  const file = relative(repositoryRoot, url.startsWith("file:") ? fileURLToPath(url) : url);
  return /^packages\/(server|contract)\/src\//.test(file) ? [file] : [];
}
