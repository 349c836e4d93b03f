import { availableParallelism } from "node:os";
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
// biome-ignore lint/correctness/useImportExtensions: the declaration beside it is not what runs
import { driverPlugin } from "./scripts/mend-driver.mjs";

// These keep nothing between two files but caches, so one process goes from file to file and loads the service once.
const sharing = [
  "packages/server/src/{api,channels,core,domain,engine,http,policy,tasks}/**/*.test.ts",
  "packages/{contract,web}/src/**/*.test.ts",
];

const project = (name: string, test: TestProjectInlineConfiguration["test"]): TestProjectInlineConfiguration => ({
  plugins: [driverPlugin],
  test: {
    name,
    setupFiles: ["packages/server/test/property-seed.ts"],
    pool: "forks",
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // The driver of the database goes through the plugin, as it does in the bundle.
    server: { deps: { inline: [/node_modules[\\/]postgres[\\/]/] } },
    ...test,
  },
});

export default defineConfig({
  plugins: [driverPlugin],
  test: {
    globalSetup: ["packages/server/test/global-setup.ts"],
    // One core would be left idle by default; the database and the browsers need little beside.
    maxWorkers: Math.max(2, availableParallelism()),
    server: { deps: { inline: [/node_modules[\\/]postgres[\\/]/] } },
    projects: [
      project("alone", {
        include: ["packages/*/src/**/*.test.ts", "packages/*/test/**/*.test.ts"],
        // Those need a cluster: `npm run test:kubernetes`.
        exclude: [...configDefaults.exclude, "**/*.cluster.test.ts", ...sharing],
      }),
      project("sharing", { include: sharing, isolate: false }),
    ],
  },
});
