import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take from half a minute to some minutes, most of it waiting, whatever their size; longest first. */
const long = [
  "executors/container/container-executor.long",
  "executors/process/unprivileged.long",
  "executors/process/sandbox-levels.long",
  "executors/container/engine-outage.long",
  "executors/container/adoption.long",
  "guarantees/catalogue/catalogue-containers.long",
  "guarantees/faults/chaos.long",
  "guarantees/faults/slow-readers.long",
  "guarantees/data/fuzz.long",
  "guarantees/documents/walk.long",
  "guarantees/faults/faults.long",
  "executors/process/crash.long",
  "executors/process/isolation/own-uid-nested.long",
  "store/embedded/embedded.long",
  "worker/workspace-affinity.long",
  "executors/process/kept/kept-sandbox.long",
  "executors/process/process-executor",
  "guarantees/data/fuzz",
  "guarantees/start/start-script",
  "guarantees/run/race",
  "store/database/backup/backup",
];

/** Prefixes of the paths of files that start or kill processes, or measure. They wait the most, so they start before the others. */
const ahead = [
  "packages/cli/test/",
  "packages/server/src/base/process/shutdown.",
  "packages/server/src/executors/container/images/images.",
  "packages/server/src/executors/process/",
  "packages/server/src/integrations/chat/chat-client.",
  "packages/server/src/open-store.",
  "packages/server/src/start-cuts.",
  "packages/server/src/store/database/backup/backup.",
  "packages/server/src/store/database/database-tls.",
  "packages/server/src/store/database/notify.",
  "packages/server/src/store/database/pooler.",
  "packages/server/test/guarantees/catalogue/catalogue-documents.",
  "packages/server/test/guarantees/data/large-lists.",
  "packages/server/test/guarantees/documents/executed-files.",
  "packages/server/test/guarantees/faults/",
  "packages/server/test/guarantees/history/log-move-kill.",
  "packages/server/test/guarantees/outbound/delivery-kill.",
  "packages/server/test/guarantees/programs/",
  "packages/server/test/guarantees/run/model.",
  "packages/server/test/guarantees/run/race.",
  "packages/server/test/guarantees/run/request-race.",
  "packages/server/test/guarantees/schedule/schedule-race.",
  "packages/server/test/guarantees/start/",
  "packages/server/test/guarantees/worker/placed-steps.",
  "packages/server/test/guarantees/worker/task-environment.",
  "packages/server/test/guarantees/worker/task-image.",
  "packages/server/test/guarantees/worker/team-shares.",
];

/**
 * Files that wait for something other than the processor start first, then the browser tests, and the many short files use the cores to the
 * end. If no durations are stored from an earlier run, vitest sorts by file size: a small but slow file would start last, and the run would
 * wait for it. A process ends if the next file belongs to another project: each project stays together.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    // Stable: files of the same rank keep their order.
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}

function rankOf({ moduleId, project }: TestSpecification): number {
  const first = long.findIndex((name) => moduleId.endsWith(fileOf(name)));
  if (first !== -1) return first;
  const path = relative(project.vitest.config.root, moduleId);
  if (ahead.some((start) => path.startsWith(start))) return long.length;
  // Component tests are a project of their own; those that render much and are measured have the machine to themselves at the end.
  if (path.endsWith(".tsx") || path.endsWith(".long.browser.test.ts")) return long.length + 3;
  return long.length + (path.endsWith(".browser.test.ts") ? 1 : 2);
}

const fileOf = (name: string) => `/${name}.test.ts`;

/** The listed files that don't exist, or no longer exist: @param paths of all test files, from the root */
export function listUnknownLong(paths: readonly string[]): string[] {
  const unknownAhead = ahead.filter((start) => !paths.some((path) => path.startsWith(start)));
  return [...long.filter((name) => !paths.some((path) => path.endsWith(fileOf(name)))), ...unknownAhead];
}
