import type { Delivery } from "@millrace/contract/outbound/delivery.ts";
import type { SubscriptionInput } from "@millrace/contract/outbound/subscription.ts";
import { createLog } from "../../../src/base/process/log.ts";
import type { Reaction } from "../../../src/domain/outbound/reaction.ts";
import { EventDispatcher } from "../../../src/engine/outbound/event-dispatcher.ts";
import { pairChannels } from "../../../src/engine/outbound/target-readers.ts";
import { createDeliveryService, createDispatchService } from "../../../src/services/engine-services.ts";
import { testSenders } from "../../fakes/test-senders.ts";
import type { TestApp } from "../app.ts";
import { moveTime } from "../database.ts";

/** A secret that receivers in tests know. */
export const testSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=";

/** Dispatcher and deliverer of a process, driven manually; webhooks may go to this machine. */
export function deliveryKit(app: TestApp, { reactions = [] }: { reactions?: Reaction[] } = {}) {
  const log = createLog("silent");
  const { sql, keyring, context, bus } = app;
  const channels = pairChannels(testSenders(sql, context.publicUrl, ["127.0.0.1"]));
  const dispatching = createDispatchService(new EventDispatcher({ sql, context, bus, log, reactions }), bus, log);
  const delivering = createDeliveryService({ sql, keyring, channels, publicUrl: context.publicUrl, log }, bus);
  const kit = {
    dispatching,
    delivering,
    /** Processes all events. */
    dispatch: () => dispatching.tick(),
    /** Sends what is due now, and waits for the responses; whatever becomes due by that is left for the next call. */
    deliver: () => delivering.tick(),
    /** Sends until nothing is due any more. */
    async flush() {
      await kit.dispatch();
      while (await hasDue(sql)) await kit.deliver();
    },
    /** Advances the clock far enough for the next attempt of everything. */
    async flushLater(byMs: number) {
      await moveTime(sql, byMs);
      await kit.flush();
    },
    /** Creates a subscription; a path without a team's belongs to the instance. */
    async subscribe(path: string, body: SubscriptionInput) {
      const answer = await app.as().post(`${path}/subscription`, { channel: "webhook", secret: testSecret, ...body });
      if (answer.status !== 200) throw new Error(`the subscription was answered ${answer.status}: ${answer.text}`);
      return answer.body as { id: string; secret: string };
    },
    /** Newest first. */
    async deliveries(path: string, subscription: string, query = ""): Promise<Delivery[]> {
      const answer = await app.as().get(`${path}/subscription/${subscription}/delivery/query?limit=1000${query}`);
      if (answer.status !== 200) throw new Error(`the deliveries were answered ${answer.status}: ${answer.text}`);
      return answer.body.content;
    },
  };
  return kit;
}

async function hasDue(sql: TestApp["sql"]): Promise<boolean> {
  const [row] = await sql<{ due: boolean }[]>`
    select exists (select from delivery d left join subscription s on s.id = d.subscription_id
                   where d.status = 'pending' and d.due_at <= db_now() and coalesce(s.is_active, true)) as due`;
  return row?.due === true;
}
