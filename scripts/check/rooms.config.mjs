// The tests that only read sources and documents: the whole suite runs them too, but this way they need no database.
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: new URL("../..", import.meta.url).pathname,
  test: {
    experimental: { fsModuleCache: true },
    include: ["packages/server/test/guarantees/documents/{rooms,documents}.test.ts", "packages/web/test/{rooms,texts}.test.ts"],
  },
});
