// The tests that read sources and documents alone: the whole suite runs them too, this way they need no database.
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: new URL("../..", import.meta.url).pathname,
  test: {
    experimental: { fsModuleCache: true },
    include: ["packages/server/test/guarantees/documents/{rooms,documents}.test.ts", "packages/web/test/{rooms,texts}.test.ts"],
  },
});
