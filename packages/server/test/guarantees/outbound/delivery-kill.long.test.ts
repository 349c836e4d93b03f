import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { EventBus } from "../../../src/base/process/event-bus.ts";
import { createLog } from "../../../src/base/process/log.ts";
import { Keyring } from "../../../src/base/secret/keyring.ts";
import { subscriptionSecretPlace } from "../../../src/core/secret/sealed-places.ts";
import { pairChannels } from "../../../src/engine/outbound/target-readers.ts";
import { createDeliveryService } from "../../../src/services/engine-services.ts";
import { transaction } from "../../../src/store/database/transaction.ts";
import { insertDeliveries } from "../../../src/store/outbound/deliveries.ts";
import { testSenders } from "../../fakes/test-senders.ts";
import { webhookReceiver } from "../../fakes/webhook-receiver.ts";
import { buildProgram } from "../../kit/build-program.ts";
import { moveTime, testDatabase } from "../../kit/database.ts";
import { testSecret } from "../../kit/outbound/delivery-kit.ts";

const { sql, address } = await testDatabase();
const key = randomBytes(32);
const keyring = new Keyring([key]);
let program: string;

beforeAll(async () => {
  program = await buildProgram(fileURLToPath(new URL("../../processes/delivery-program.ts", import.meta.url)));
}, 60_000);

/** A subscription with one queued event. */
async function queueOne(url: string): Promise<void> {
  const [made] = await sql<{ id: string; lane: string }[]>`select new_id() as id, new_id() as lane`;
  const { id, lane } = made!;
  const secret = keyring.sealText(testSecret, subscriptionSecretPlace(id));
  await sql`insert into subscription (id, name, channel, target, secret) values (${id}, 'all', 'webhook', ${JSON.stringify({ url })}::json, ${secret})`;
  const [event] = await sql<{ id: string; seq: number }[]>`
    insert into change_event (kind, status, object_id, lane_id, data, dispatched_at) values ('workflowrun', 'failed', ${lane}, ${lane}, '{}', db_now()) returning id, seq`;
  const delivery = {
    event: { ...event!, teamId: null, laneId: lane },
    channel: "webhook",
    subscriptionId: id,
    target: null,
    receiverId: id,
  } as const;
  await transaction(sql, (tx) => insertDeliveries(tx, [delivery]));
}

test("a process that is killed after sending and before recording: another one sends it again when the lease has passed", {
  timeout: 60_000,
}, async () => {
  const receiver = await webhookReceiver(testSecret);
  receiver.answer(() => "hang");
  await queueOne(receiver.url);
  const first = receiver.arrival();
  const child = spawn(process.execPath, [program, JSON.stringify({ address, key: key.toString("hex") })], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const { id } = await first;
  child.kill("SIGKILL");
  await once(child, "exit");

  receiver.answer(() => ({ status: 204 }));
  const channels = pairChannels(testSenders(sql, "http://127.0.0.1:8080", ["127.0.0.1"]));
  const other = createDeliveryService(
    { sql, keyring, channels, publicUrl: "http://127.0.0.1:8080", log: createLog("silent") },
    new EventBus(),
  );
  await other.tick();
  expect(receiver.received).toHaveLength(1);
  await moveTime(sql, 61_000);
  await other.tick();
  expect(receiver.received.map((one) => one.id)).toEqual([id, id]);
  const [row] = await sql<{ status: string; attempts: number }[]>`select status, attempts from delivery`;
  expect(row).toEqual({ status: "delivered", attempts: 2 });
});
