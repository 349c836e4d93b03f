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

const shared = [
  "src/(hooks|texts)/|src/api/(?!german-)",
  "src/ui/(dialog|form|list|mark|state|table|time)/|src/ui/[^/]*$",
  "src/components/(actions|bulk|how-to|keys|log|parameters|run|shell)|src/components/[^/]*$",
  "src/forms/(parameter|schedule-form)|src/pages/activity/",
  "packages/contract/|node_modules/(@(mantine|tabler|tanstack)|d3-interpolate|d3-color)/",
].join("|");

/**
 * The files of the interface, by area: what a screen needs is in few files, and in none is much that it does not need. A module is in the
 * first group that takes it, with what it imports and no group has taken; `minShareCount` leaves to a page what only that page has. All
 * else is in the file of its page. So a new import stays in its area. `size.test.ts` and `first-load.browser.test.ts` have the budgets;
 * where one is passed, look which file came with the import: the kit must need none of those below it.
 */
const groups = [
  // Every screen: React, the router, the theme, and what first-file.ts names.
  { name: "app", tags: ["$initial" as const] },
  // The first screen after the sign-in, and what is around every other one.
  { name: "frame", test: /pages\/page-frames|pages\/home\/(home-page|on-call)|ui\/mark\/(state|status)-mark|components\/run-words/ },
  // The sign-in, and the styles of all other screens: they are there when somebody has signed in.
  { name: "form", test: /pages\/sign-in\/sign-in-page|src\/.*\.module\.css$|@xyflow\/.*\.css$/ },
  // Large libraries, each with what only it needs.
  { name: "markdown", test: /node_modules\/react-markdown|ui\/markdown-text/ },
  // Long texts of two areas, which are not for every screen.
  { name: "configure", test: /src\/texts\/(workflow\/configure|results)\.ts$/ },
  // Every screen but the first ones.
  { name: "kit", test: new RegExp(shared), minShareCount: 2 },
  { name: "charts", test: /node_modules\/recharts\/|ui\/chart\/(line-points|stacked-bars)/ },
  // Areas. Pictures of a graph, and a draft, need no canvas.
  {
    name: "layout",
    test: /@dagrejs|components\/graph-picture|src\/graph\/(boxes|label-place|layout|node-|task-)|src\/editor\/draft\/draft(-context)?\.ts/,
  },
  { name: "graph", test: /@xyflow|src\/graph\/|components\/run-graph\/run-canvas/ },
  { name: "documents", test: /node_modules\/yaml\/|src\/forms\/|src\/components\/yaml\/|src\/pages\/tasks\//, minShareCount: 2 },
  {
    name: "workflow",
    test: /pages\/workflow\/workflow-frame|src\/editor\/(draft\/(?!use-edits)|trial\/|request\/request-rows|node\/preview-context)/,
  },
  // Its dialogs, which are loaded when they are opened, share the fields of a node with it.
  { name: "designer", test: /src\/editor\/(designer|form\/node-parameters)\.tsx$/ },
  { name: "code", test: /node_modules\/(@codemirror|@lezer)|ui\/code\/code-(mirror|look)|editor\/code\// },
  { name: "notify", test: /src\/components\/(audit|event-filters|subscriptions|tokens)\/|src\/pages\/admin\//, minShareCount: 2 },
].map((group, index) => ({ ...group, priority: 100 - index }));

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
    rolldownOptions: {
      output: { codeSplitting: { groups } },
      // In which file a module is follows from the groups, also if one part waits for it and another one does not.
      checks: { ineffectiveDynamicImport: false },
    },
    // `size.test.ts` has limits of what a page loads.
    chunkSizeWarningLimit: 1_000,
  },
  server: { proxy: { "/api": { target: "http://127.0.0.1:8080", changeOrigin: false } } },
});
