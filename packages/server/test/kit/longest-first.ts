import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take from half a minute to some minutes, most of it waiting, whatever their size; the longest first. */
const long = [
  "executors/container/container-executor.long",
  "executors/process/unprivileged.long",
  "executors/process/sandbox-levels.long",
  "executors/container/engine-outage.long",
  "executors/container/adoption.long",
  "guarantees/catalogue/catalogue-containers.long",
  "guarantees/faults/chaos.long",
  "guarantees/faults/slow-readers.long",
  "guarantees/faults/faults",
  "executors/process/process-executor",
  "guarantees/data/fuzz",
  "executors/process/crash",
  "guarantees/documents/walk",
  "guarantees/start/start-script",
  "guarantees/run/race",
  "store/database/backup",
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
