import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take from half a minute to more than a minute, most of it waiting, whatever their size. */
const long = [
  "container/container-executor",
  "process/process-executor",
  "process/unprivileged",
  "container/engine-outage",
  "test/catalogue-containers",
  "container/adoption",
  "test/walk",
  "store/embedded/embedded",
  "store/database/backup",
  "test/faults",
  "test/large-lists",
].map((name) => `/${name}.test.ts`);

/**
 * Where no durations are kept from an earlier run, vitest goes by the size of files: a long one that is small would be waited for
 * at the end.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const first = long.flatMap((name) => sorted.filter(({ moduleId }) => moduleId.endsWith(name)));
    return [...first, ...sorted.filter((file) => !first.includes(file))];
  }
}
