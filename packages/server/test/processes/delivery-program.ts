import { EventBus } from "../../src/base/process/event-bus.ts";
import { createLog } from "../../src/base/process/log.ts";
import { Keyring } from "../../src/base/secret/keyring.ts";
import { pairChannels } from "../../src/engine/outbound/target-readers.ts";
import { createDeliveryService } from "../../src/services/engine-services.ts";
import { createPool } from "../../src/store/database/database.ts";
import type { DatabaseAddress } from "../../src/store/database/database-address.ts";
import { testSenders } from "../fakes/test-senders.ts";

/** One process of the service that only sends what is queued, to be killed. */
const settings = JSON.parse(process.argv[2] as string) as { address: DatabaseAddress; key: string };

const sql = createPool(settings.address, { maxConnections: 4 });
const keyring = new Keyring([Buffer.from(settings.key, "hex")]);
const channels = pairChannels(testSenders(sql, "http://127.0.0.1:8080", ["127.0.0.1"]));
await createDeliveryService(
  { sql, keyring, channels, publicUrl: "http://127.0.0.1:8080", log: createLog("silent") },
  new EventBus(),
).start();
process.stdout.write("ready\n");
