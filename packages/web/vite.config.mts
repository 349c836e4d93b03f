import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** `npm start` builds this when it has changed (`scripts/build-web.mjs`); `npx vite packages/web` serves it with reloading beside a service on port 8080. */
export default defineConfig({
  root: here("."),
  plugins: [react()],
  build: {
    outDir: here("../../dist/web"),
    emptyOutDir: true,
    // Nothing is put into a page or a style as data:, so that the content security policy can stay narrow.
    assetsInlineLimit: 0,
    manifest: true,
    modulePreload: { polyfill: false },
    sourcemap: false,
    chunkSizeWarningLimit: 700,
  },
  server: { proxy: { "/api": { target: "http://127.0.0.1:8080", changeOrigin: false } } },
});
