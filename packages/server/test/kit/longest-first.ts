import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take from half a minute to some minutes, most of it waiting, whatever their size; the longest first. */
const long = [
  "executors/process/process-executor",
  "executors/container/container-executor",
  "executors/process/unprivileged",
  "executors/container/engine-outage",
  "guarantees/catalogue/catalogue-containers",
  "executors/container/adoption",
  "guarantees/documents/walk",
  "store/embedded/embedded",
  "store/database/backup",
  "guarantees/faults/faults",
  "executors/process/short-of-files",
  "executors/process/crash",
  "guarantees/data/large-lists",
];

/**
 * Where no durations are kept from an earlier run, vitest goes by the size of files: a long one that is small would be waited for
 * at the end.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const first = long.flatMap((name) => sorted.filter(({ moduleId }) => moduleId.endsWith(fileOf(name))));
    return [...first, ...sorted.filter((file) => !first.includes(file))];
  }
}

const fileOf = (name: string) => `/${name}.test.ts`;

/** Those that are not there, or not any more: @param paths of all files of tests */
export function listUnknownLong(paths: readonly string[]): string[] {
  return long.filter((name) => !paths.some((path) => path.endsWith(fileOf(name))));
}
