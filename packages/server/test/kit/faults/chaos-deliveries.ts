import { expect } from "vitest";
import { EventBus } from "../../../src/base/process/event-bus.ts";
import { createLog } from "../../../src/base/process/log.ts";
import { subscriptionSecretPlace } from "../../../src/core/secret/sealed-places.ts";
import { EventDispatcher } from "../../../src/engine/outbound/event-dispatcher.ts";
import { pairChannels } from "../../../src/engine/outbound/target-readers.ts";
import { createDeliveryService } from "../../../src/services/engine-services.ts";
import type { Database } from "../../../src/store/database/database.ts";
import { testSenders } from "../../fakes/test-senders.ts";
import { type WebhookReceiver, webhookReceiver } from "../../fakes/webhook-receiver.ts";
import { moveTime } from "../database.ts";
import type { EngineKit } from "../engine-kit.ts";
import { testSecret } from "../outbound/delivery-kit.ts";
import { nodeKeyring } from "../run/engine-node.ts";

/**
 * Deliveries of a team to a receiver that rejects some of them, and the rules that hold whatever happens to the processes that send them.
 */
export async function receiveDeliveries(sql: Database, team: string, random: () => number): Promise<WebhookReceiver> {
  const receiver = await webhookReceiver(testSecret);
  receiver.answer(() => ({ status: random() < 0.05 ? 503 : 204 }));
  const [made] = await sql<{ id: string }[]>`select new_id() as id`;
  const id = made?.id as string;
  const secret = nodeKeyring.sealText(testSecret, subscriptionSecretPlace(id));
  const target = JSON.stringify({ url: receiver.url });
  await sql`insert into subscription (id, team_id, name, channel, target, secret) values (${id}, ${team}, 'all', 'webhook', ${target}::json, ${secret})`;
  return receiver;
}

/** Every event arrives, those about one thing in order, and nothing waits forever. Sends what is left first. */
export async function expectDelivered({ sql, context }: EngineKit, team: string, receiver: WebhookReceiver, hint: string): Promise<void> {
  receiver.answer(() => ({ status: 204 }));
  const log = createLog("silent");
  const publicUrl = "http://127.0.0.1:8080";
  const channels = pairChannels(testSenders(sql, publicUrl, ["127.0.0.1"]));
  const service = createDeliveryService({ sql, keyring: nodeKeyring, channels, publicUrl, log }, new EventBus());
  await new EventDispatcher({ sql, context, bus: new EventBus(), log, reactions: [] }).tick();
  const open = async () =>
    (await sql<{ status: string }[]>`select status from delivery where team_id = ${team} and status in ('waiting', 'pending')`).length;
  for (let round = 0; round < 40 && (await open()) > 0; round++) {
    for (let before = -1, left = await open(); left > 0 && left !== before; left = await open()) {
      before = left;
      await service.tick();
    }
    await moveTime(sql, 120_000);
  }
  expect(await sql`select id, status, attempts, last_error from delivery where team_id = ${team} and status <> 'delivered'`, hint).toEqual(
    [],
  );
  const rows = await sql<{ id: string; seq: number; lane: string }[]>`
    select id, event_seq::int as seq, lane_id as lane from delivery where team_id = ${team}`;
  const events = await sql`select id from change_event where team_id = ${team}`;
  expect(rows.length, `${hint}: one delivery for each event`).toBe(events.length);
  const taken = receiver.taken().map(({ id }) => id);
  expect(new Set(taken), hint).toEqual(new Set(rows.map(({ id }) => id)));
  const byId = new Map(rows.map((row) => [row.id, row]));
  const latest = new Map<string, number>();
  for (const { lane, seq } of taken.flatMap((id) => byId.get(id) ?? [])) {
    expect(seq, `${hint}: lane ${lane} in order`).toBeGreaterThan(latest.get(lane) ?? 0);
    latest.set(lane, seq);
  }
  console.log(`${events.length} events, ${receiver.received.length} requests`);
}
