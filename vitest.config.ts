import { configDefaults, defineConfig } from "vitest/config";
// biome-ignore lint/correctness/useImportExtensions: the declaration beside it is not what runs
import { driverPlugin } from "./scripts/mend-driver.mjs";

export default defineConfig({
  plugins: [driverPlugin],
  test: {
    include: ["packages/*/src/**/*.test.ts", "packages/*/test/**/*.test.ts"],
    // Those need a cluster: `npm run test:kubernetes`.
    exclude: [...configDefaults.exclude, "**/*.cluster.test.ts"],
    globalSetup: ["packages/server/test/global-setup.ts"],
    setupFiles: ["packages/server/test/property-seed.ts"],
    pool: "forks",
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // The driver of the database goes through the plugin, as it does in the bundle.
    server: { deps: { inline: [/node_modules[\\/]postgres[\\/]/] } },
  },
});
