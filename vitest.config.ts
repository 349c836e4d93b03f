import { availableParallelism } from "node:os";
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { LongestFirst } from "./packages/server/test/kit/longest-first.ts";

const all = ["packages/*/src/**/*.test.ts", "packages/*/test/**/*.test.ts"];
const browser = ["packages/web/test/*.browser.test.ts"];
const components = ["packages/web/src/**/*.test.tsx"];
/** They start container engines, kill and starve processes, fill disks, or open many pages: minutes each. `npm run test:long` runs them. */
const long = ["packages/{client,server}/**/*.long.test.ts"];
const longBrowser = ["packages/web/test/*.long.browser.test.ts"];
/** Of the others, those that start or kill processes, or measure. They take the longest, so they begin ahead. */
const ahead = [
  "packages/cli/test/**/*.test.ts",
  "packages/server/src/{open-store,start-cuts}.test.ts",
  "packages/server/src/base/process/shutdown.test.ts",
  "packages/server/src/executors/container/images/images.test.ts",
  "packages/server/src/executors/process/**/*.test.ts",
  "packages/server/src/integrations/chat/chat-client.test.ts",
  "packages/server/src/store/database/{backup,database-tls,notify,pooler}.test.ts",
  "packages/server/src/store/embedded/embedded.test.ts",
  "packages/server/test/guarantees/{faults,programs,start}/**/*.test.ts",
  "packages/server/test/guarantees/catalogue/catalogue-documents.test.ts",
  "packages/server/test/guarantees/data/large-lists.test.ts",
  "packages/server/test/guarantees/documents/{executed-files,walk}.test.ts",
  "packages/server/test/guarantees/history/log-move-kill.test.ts",
  "packages/server/test/guarantees/outbound/delivery-kill.test.ts",
  "packages/server/test/guarantees/run/{model,race,request-race}.test.ts",
  "packages/server/test/guarantees/schedule/schedule-race.test.ts",
  "packages/server/test/guarantees/worker/{placed-steps,task-environment,task-image,team-shares}.test.ts",
];

// Those need a cluster: `npm run test:kubernetes`.
const exclude = [...configDefaults.exclude, "**/*.cluster.test.ts"];
const setupFiles = ["packages/server/test/kit/property-seed.ts"];

/** By default a second, which a busy machine may take for anything. What never comes fails all the same. */
const patience = { poll: { timeout: 15_000 } };

function project(name: string, test: TestProjectInlineConfiguration["test"]): TestProjectInlineConfiguration {
  return {
    test: { name, exclude, setupFiles, pool: "forks", testTimeout: 30_000, hookTimeout: 60_000, expect: patience, ...test },
  };
}

/** To load the service takes longer than most tests: here a process goes from file to file, and loads it once. */
const shared = { isolate: false, setupFiles: [...setupFiles, "packages/server/test/kit/leaves-no-trace.ts"] };

/** The browser is one for all files of a process. */
const endsWithProcess = "packages/web/test/ends-with-process.ts";

const cores = availableParallelism();

export default defineConfig({
  test: {
    globalSetup: ["packages/server/test/kit/global-setup.ts"],
    // Two more than there are cores: each waits now and then, for the database, for a browser or for processes.
    maxWorkers: cores + 2,
    sequence: { sequencer: LongestFirst },
    // In the order of their names, with no wait between: the long files begin, and the many short ones fill up the cores to the end.
    projects: [
      // A test has as long as `until` waits, which says what did not come. A container engine that begins beside three others takes its time.
      project("ahead", { include: ahead, exclude: [...exclude, ...long], ...shared, testTimeout: 60_000, hookTimeout: 180_000 }),
      // What a page is waited for has a limit of its own; a test does that many times.
      project("browser", {
        include: browser,
        exclude: [...exclude, ...longBrowser],
        ...shared,
        setupFiles: [endsWithProcess, ...shared.setupFiles],
        testTimeout: 120_000,
      }),
      // Rules of forms and tables, without a server or a browser.
      project("components", { include: components, environment: "happy-dom" }),
      project("sharing", { include: all, exclude: [...exclude, ...ahead, ...browser, ...long], ...shared, testTimeout: 60_000 }),
      project("long", { include: long, ...shared, testTimeout: 60_000, hookTimeout: 180_000 }),
      project("long-browser", {
        include: longBrowser,
        ...shared,
        setupFiles: [endsWithProcess, ...shared.setupFiles],
        testTimeout: 120_000,
      }),
    ],
  },
});
