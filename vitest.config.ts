import { availableParallelism } from "node:os";
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { LongestFirst } from "./packages/server/test/longest-first.ts";
// biome-ignore lint/correctness/useImportExtensions: the declaration beside it is not what runs
import { driverPlugin } from "./scripts/patch-driver.mjs";

const all = ["packages/*/src/**/*.test.ts", "packages/*/test/**/*.test.ts"];
const browser = ["packages/web/test/*.browser.test.ts"];
/** Files that get a process of their own: they start, kill or starve other processes, or measure. */
const alone = [
  "packages/server/src/*.test.ts",
  "packages/server/src/base/process/shutdown.test.ts",
  "packages/server/src/executors/{container,process}/**/*.test.ts",
  "packages/server/src/integrations/chat-client.test.ts",
  "packages/server/src/store/{backup,database,database-tls,embedded,notify,open-database,pooler}.test.ts",
  "packages/server/test/programs/*.test.ts",
  "packages/server/test/{catalogue,walk}*.test.ts",
  "packages/server/test/{chaos,delivery-kill,event-storm,graceful-stop,faults,full-disk,large-lists,machine-faults,model,narrow-container,pooled-service,postgres-outage,race,request-race,schedule-race,slow-readers,soak,takeover,team-shares,workspace-processes}.test.ts",
  "packages/server/test/{db-command,global-tasks,placed-steps,shipped-templates,start-script,task-documents,task-image}.test.ts",
];

// Those need a cluster: `npm run test:kubernetes`.
const exclude = [...configDefaults.exclude, "**/*.cluster.test.ts"];
const setupFiles = ["packages/server/test/property-seed.ts"];
// The driver of the database goes through the plugin, as it does in the bundle.
const server = { deps: { inline: [/node_modules[\\/]postgres[\\/]/] } };

/** By default a second, which a busy machine may take for anything. What never comes fails all the same. */
const patience = { poll: { timeout: 15_000 } };

function project(name: string, test: TestProjectInlineConfiguration["test"]): TestProjectInlineConfiguration {
  return {
    plugins: [driverPlugin],
    test: { name, exclude, setupFiles, pool: "forks", testTimeout: 30_000, hookTimeout: 60_000, expect: patience, server, ...test },
  };
}

/** To load the service takes longer than most tests: here a process goes from file to file, and loads it once. */
const shared = { isolate: false, setupFiles: [...setupFiles, "packages/server/test/leaves-no-trace.ts"] };

const cores = availableParallelism();

export default defineConfig({
  plugins: [driverPlugin],
  test: {
    globalSetup: ["packages/server/test/global-setup.ts"],
    // One more than there are cores: each waits now and then, for the database or for the browser.
    maxWorkers: cores + 1,
    sequence: { sequencer: LongestFirst },
    server,
    // Those of a group in the order of their names: the long files begin, and the many short ones fill up the cores to the end.
    projects: [
      // They wait for processes, engines and databases more than they compute: more of them keep the cores at work.
      // A test has as long as `until` waits, which says what did not come.
      project("alone", { include: alone, maxWorkers: cores + 2, testTimeout: 60_000, sequence: { groupOrder: 0 } }),
      // What a page is waited for has a limit of its own; a test does that many times.
      project("browser", { include: browser, ...shared, testTimeout: 60_000, sequence: { groupOrder: 1 } }),
      project("sharing", { include: all, exclude: [...exclude, ...alone, ...browser], ...shared, sequence: { groupOrder: 1 } }),
    ],
  },
});
