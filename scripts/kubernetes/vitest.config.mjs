// The tests that need a cluster: one is started for all of them, and since some of them take it away, one file runs after the other.
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: new URL("../..", import.meta.url).pathname,
  test: {
    include: ["packages/*/src/**/*.cluster.test.ts", "packages/*/test/**/*.cluster.test.ts"],
    globalSetup: ["packages/server/test/kubernetes/global-setup.ts", "packages/server/test/kit/global-setup.ts"],
    setupFiles: ["packages/server/test/kit/property-seed.ts"],
    pool: "forks",
    fileParallelism: false,
    // More than fifty pods need on a small busy machine, or a node for taking one away whose beginning it missed: over a minute and
    // a half each.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
