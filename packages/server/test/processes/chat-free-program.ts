import { createRequire } from "node:module";
import { openSenders } from "../../src/channels/registry.ts";
import { endpoints } from "../../src/http/routes.ts";
import { CodehostClients } from "../../src/integrations/codehost/codehost-client.ts";
import { platformFetch } from "../kit/platform-fetch.ts";

/** Reports whether the modules for the chat platform have loaded its library, before its first use and after. */
openSenders({
  outboundAllow: [],
  platformFetch,
  publicUrl: "",
  codehost: { clients: new CodehostClients(platformFetch), rememberCheckRun: async () => {} },
});
const isLoaded = () => Object.keys(createRequire(import.meta.url).cache).some((file) => file.includes("@slack/web-api"));
const before = isLoaded();
await import("@slack/web-api");
process.stdout.write(JSON.stringify({ hasEndpoints: endpoints.length > 100, before, after: isLoaded() }));
