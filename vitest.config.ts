import { availableParallelism } from "node:os";
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { LongestFirst } from "./packages/server/test/kit/suite/longest-first.ts";

const all = ["packages/*/src/**/*.test.ts", "packages/*/test/**/*.test.ts"];
const components = ["packages/web/src/**/*.test.tsx"];
/** They start container engines, kill and starve processes, fill disks, or open many pages: minutes each. `npm run test:long` runs them. */
const long = ["packages/{client,server}/**/*.long.test.ts", "packages/web/test/**/*.long.browser.test.ts"];
// Those need a cluster: `npm run test:kubernetes`.
// The beginnings of paths that .ci/suite-edges leaves out.
const leftOut = (process.env["MILLRACE_TEST_LEFT_OUT"] ?? "").split(" ").filter((path) => path !== "");
const exclude = [...configDefaults.exclude, "**/*.cluster.test.ts", ...leftOut.flatMap((path) => [`${path}*`, `${path}*/**`])];
const setupFiles = ["packages/server/test/kit/suite/property-seed.ts"];

/** By default a second, which a busy machine may take for anything. What never comes fails all the same. */
const patience = { poll: { timeout: 15_000 } };

/**
 * What a module is compiled to is kept below node_modules by its content, and thrown away with each change of package-lock.json. The next
 * run compiles only what has changed: a run of a few files takes half the processor time. Not at the root: vitest 4.1 can't load
 * `globalSetup` so.
 */
const experimental = { fsModuleCache: true };

function project(name: string, test: TestProjectInlineConfiguration["test"]): TestProjectInlineConfiguration {
  return {
    test: { name, exclude, setupFiles, experimental, pool: "forks", testTimeout: 30_000, hookTimeout: 60_000, expect: patience, ...test },
  };
}

/**
 * Of what a process allocates for a test, little is kept: with a larger part of the heap for it, a third less of it is looked through, which is
 * 6 % of the processor time. Not for the long tests, of which some measure how much a process holds.
 */
const execArgv = ["--max-semi-space-size=64"];

/**
 * To load the service takes longer than most tests, and so does the start of a browser: here a process goes from file to file, and does both
 * once. A test has as long as `until` waits, which says what did not come, or as a page is waited for many times. A container engine that
 * begins beside three others takes its time.
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
    // Two more than there are cores: each waits now and then, for the database, for a browser or for processes.
    maxWorkers: cores + 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      // Rules of forms and tables, without a server or a browser.
      project("components", {
        include: components,
        environment: "happy-dom",
        isolate: false,
        setupFiles: ["packages/web/test/kit/no-network.ts", ...setupFiles],
      }),
      // All others together: each project would transform the service for itself, and load it in processes of its own.
      project("suite", { include: all, exclude: [...exclude, ...long], ...shared, execArgv }),
      project("long", { include: long, ...shared }),
    ],
  },
});
