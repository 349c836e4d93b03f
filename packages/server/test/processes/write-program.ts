import { EventBus } from "../../src/base/process/event-bus.ts";
import { createLog } from "../../src/base/process/log.ts";
import { Keyring } from "../../src/base/secret/keyring.ts";
import { createRunContext } from "../../src/domain/run/create-run-context.ts";
import { buildApp } from "../../src/http/server.ts";
import { CodehostClients } from "../../src/integrations/codehost/codehost-client.ts";
import { createPool } from "../../src/store/database/database.ts";
import type { DatabaseAddress } from "../../src/store/database/database-address.ts";
import { engineTaskTypes } from "../../src/tasks/registry.ts";
import { platformFetch } from "../kit/platform-fetch.ts";

/** One process of the service that only answers requests, to be killed. Prints its address when it is ready. */
const settings = JSON.parse(process.argv[2] as string) as { address: DatabaseAddress; key: string; adminToken: string; name: string };

const sql = createPool(settings.address, { maxConnections: 2, applicationName: settings.name });
const keyring = new Keyring([Buffer.from(settings.key, "hex")]);
const runs = createRunContext({ keyring, publicUrl: "http://127.0.0.1:8080", types: engineTaskTypes });
const services = { wake: () => {}, runs, bus: new EventBus(), codehost: new CodehostClients(platformFetch), platformFetch };
const app = buildApp({ sql, keyring, config: { adminToken: settings.adminToken }, log: createLog("silent"), services });
process.stdout.write(await app.listen({ port: 0, host: "127.0.0.1" }));
