import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
// biome-ignore lint/correctness/useImportExtensions: the declaration beside it is not what runs
import { ensureTypes } from "../client/generate-types.mjs";
// biome-ignore lint/correctness/useImportExtensions: the declaration beside it is not what runs
import { compiledTexts } from "./compile-texts.mjs";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Who edits beside a server that reloads finds the types of the API. A build needs none. */
const apiTypes: Plugin = { name: "api-types", apply: "serve", buildStart: ensureTypes };

/** `npm start` builds this when it has changed (`scripts/build-web.mjs`); `npx vite packages/web` serves it with reloading beside a service on port 8080. */
export default defineConfig({
  root: here("."),
  plugins: [react(), apiTypes, compiledTexts],
  // The messages are compiled, so that no parser of them is loaded.
  resolve: { alias: { "use-intl/format-message": "use-intl/format-message/format-only" } },
  build: {
    outDir: here("../../dist/web"),
    emptyOutDir: true,
    // Nothing is put into a page or a style as data:, so that the content security policy can stay narrow.
    assetsInlineLimit: 0,
    manifest: true,
    modulePreload: { polyfill: false },
    sourcemap: false,
    // A hundred small files take a page longer than what is in them: one that every page needs, one of what most pages share.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: "app", tags: ["$initial"], priority: 2 },
            { name: "shared", minShareCount: 14, priority: 1 },
          ],
        },
      },
    },
    // `size.test.ts` has limits of what a page loads.
    chunkSizeWarningLimit: 1_000,
  },
  server: { proxy: { "/api": { target: "http://127.0.0.1:8080", changeOrigin: false } } },
});
