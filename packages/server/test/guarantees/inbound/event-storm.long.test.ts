import { Agent, request } from "node:http";
import { expect, test } from "vitest";
import { webhookReceiver } from "../../fakes/webhook-receiver.ts";
import { eventKit } from "../../kit/inbound/event-kit.ts";
import { deliveryKit, testSecret } from "../../kit/outbound/delivery-kit.ts";

/**
 * Many events at once, over several connections, some of them two or three times, in random order, single and in batches: each starts its
 * run once, and each run is reported once to a receiver that fails half of the time. MILLRACE_STORM_EVENTS raises their number.
 */
const count = Number(process.env["MILLRACE_STORM_EVENTS"] ?? 1000);
const connections = 8;

const { app, teamWith, newEvent } = await eventKit();
const url = await app.server.listen({ host: "127.0.0.1", port: 0 });

type Sent = ReturnType<typeof newEvent>;
interface Delivery {
  events: Sent[];
  /** Ids of the runs, event by event. */
  runs?: string[];
}

/** Distributed by a fixed rule, so that every run of the test sends the same. */
function deliveriesOf(events: Sent[]): Delivery[] {
  const single = events.filter((_, index) => index % 10 !== 0).map((event) => ({ events: [event] }));
  const batched = events.filter((_, index) => index % 10 === 0);
  const batches = Array.from({ length: Math.ceil(batched.length / 5) }, (_, index) => ({
    events: batched.slice(index * 5, index * 5 + 5),
  }));
  const again = events.filter((_, index) => index % 3 === 0).map((event) => ({ events: [event] }));
  const thrice = events.filter((_, index) => index % 30 === 0).map((event) => ({ events: [event] }));
  const all = [...single, ...batches, ...again, ...thrice];
  return all.map((_, index) => all[(index * 7919) % all.length]!);
}

function post(agent: Agent, path: string, token: string, { events }: Delivery): Promise<string[]> {
  const isBatch = events.length > 1;
  const headers = { authorization: `Bearer ${token}`, "content-type": `application/cloudevents${isBatch ? "-batch" : ""}+json` };
  return new Promise((resolve, reject) => {
    const call = request(`${url}${path}`, { method: "POST", agent, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("end", () => {
        const answer = JSON.parse(text);
        if (response.statusCode === 200) resolve(isBatch ? answer.runs.map((run: { id: string }) => run.id) : [answer.id]);
        else reject(new Error(`${response.statusCode} ${text}`));
      });
    });
    call.on("error", reject).end(JSON.stringify(isBatch ? events : events[0]));
  });
}

/** A receiver of the team's runs that responds to every other request, by a fixed rule, with an error. */
async function subscribeFailing(teamId: string) {
  const receiver = await webhookReceiver(testSecret);
  const { subscribe, flush, flushLater } = deliveryKit(app);
  const filters = [{ prefix: { type: "dev.millrace.workflowrun." } }];
  await subscribe(`/api/v2/team/${teamId}`, { name: "runs", target: { url: receiver.url }, filters });
  let answers = 0;
  receiver.answer(() => ({ status: (answers++ * 7919) % 10 < 5 ? 500 : 200 }));
  return async (wanted: number) => {
    await flush();
    for (let rounds = 0; rounds < 20 && receiver.taken().length < wanted; rounds++) await flushLater(3_600_000);
    return receiver.taken().map(({ event }) => event.data.id as string);
  };
}

test("in a storm of events, repeated and out of order, none is lost or doubled", { timeout: 120_000 }, async () => {
  const { team, id, token } = await teamWith("build");
  const toldRuns = await subscribeFailing(team.id);
  await app.sql`update team set max_workflow_run_monthly = 1000000 where id = ${team.id}`;
  const events = Array.from({ length: count }, (_, index) => newEvent({ data: { index } }));
  const deliveries = deliveriesOf(events);
  const pending = [...deliveries];
  const agents = Array.from({ length: connections }, () => new Agent({ keepAlive: true, maxSockets: 4 }));
  const sender = async (agent: Agent) => {
    for (let next = pending.pop(); next; next = pending.pop()) next.runs = await post(agent, `/api/v2/event?ref=${id}`, token, next);
  };
  await Promise.all(agents.flatMap((agent) => [sender(agent), sender(agent)]));
  for (const agent of agents) agent.destroy();

  const runOf = new Map<string, string>();
  for (const { events: sent, runs } of deliveries) {
    for (const [index, { id: eventId }] of sent.entries()) {
      expect(runs![index]).toBe(runOf.get(eventId) ?? runs![index]);
      runOf.set(eventId, runs![index]!);
    }
  }
  const stored = await app.sql<{ id: string; index: number }[]>`
    select r.id, (p ->> 'value')::int as index from run r, json_array_elements(r.params) p where r.team_id = ${team.id} and p ->> 'name' = 'index'`;
  expect(stored).toHaveLength(count);
  expect(new Set(stored.map(({ index }) => index)).size).toBe(count);
  expect(new Set(runOf.values())).toEqual(new Set(stored.map((row) => row.id)));
  expect((await toldRuns(count)).sort()).toEqual(stored.map((row) => row.id).sort());
});
