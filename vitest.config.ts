import { availableParallelism } from "node:os";
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { LongestFirst } from "./packages/server/test/kit/suite/longest-first.ts";

const all = ["packages/*/src/**/*.test.ts", "packages/*/test/**/*.test.ts"];
const components = ["packages/web/src/**/*.test.tsx"];
/**
 * They start container engines, kill processes or make them run out of resources, fill disks, or open many pages: minutes each. `npm run
 * test:long` runs them.
 */
const long = ["packages/{client,server}/**/*.long.test.ts", "packages/web/test/**/*.long.browser.test.ts"];
// Those need a cluster: `npm run test:kubernetes`.
// The beginnings of paths that .ci/suite-edges leaves out.
const leftOut = (process.env["MILLRACE_TEST_LEFT_OUT"] ?? "").split(" ").filter((path) => path !== "");
const exclude = [...configDefaults.exclude, "**/*.cluster.test.ts", ...leftOut.flatMap((path) => [`${path}*`, `${path}*/**`])];
const setupFiles = ["packages/server/test/kit/suite/property-seed.ts"];

/** The default is a second, which anything may exceed on a busy machine. What never arrives fails all the same. */
const patience = { poll: { timeout: 15_000 } };

/**
 * Compiled modules are cached below node_modules by their content, and discarded with each change of package-lock.json. The next run
 * compiles only what has changed: a run of a few files takes half the processor time. Not at the root: there, vitest 4.1 can't load
 * `globalSetup`.
 */
const experimental = { fsModuleCache: true };

function project(name: string, test: TestProjectInlineConfiguration["test"]): TestProjectInlineConfiguration {
  return {
    test: { name, exclude, setupFiles, experimental, pool: "forks", testTimeout: 30_000, hookTimeout: 60_000, expect: patience, ...test },
  };
}

/**
 * Most of what a process allocates for a test is short-lived: with a larger young generation of the heap, a third less is scanned, which
 * saves 6 % of the processor time. Not for the long tests, some of which measure the memory of a process.
 */
const execArgv = ["--max-semi-space-size=64"];

/**
 * Loading the service takes longer than most tests, and so does starting a browser: here a process runs several files, and does both once.
 * A test may take as long as `until` waits, which reports what did not arrive, or as a page is waited for many times. A container engine
 * that starts beside three others takes longer.
 */
const shared = {
  isolate: false,
  setupFiles: ["packages/web/test/kit/ends-with-process.ts", ...setupFiles, "packages/server/test/kit/suite/leaves-no-trace.ts"],
  testTimeout: 120_000,
  hookTimeout: 180_000,
};

const cores = availableParallelism();

export default defineConfig({
  test: {
    globalSetup: ["packages/server/test/kit/suite/global-setup.ts"],
    // Two more than there are cores: each waits at times, for the database, for a browser or for processes.
    maxWorkers: cores + 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      // Rules of forms and tables, without a server or a browser.
      project("components", {
        include: components,
        environment: "happy-dom",
        isolate: false,
        setupFiles: ["packages/web/test/kit/no-network.ts", ...setupFiles],
        testTimeout: shared.testTimeout,
      }),
      // All others together: each project would transform the service separately, and load it in its own processes.
      project("suite", { include: all, exclude: [...exclude, ...long], ...shared, execArgv }),
      project("long", { include: long, ...shared }),
    ],
  },
});
