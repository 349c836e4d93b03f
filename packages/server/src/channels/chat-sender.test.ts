import { beforeEach, describe, expect, test } from "vitest";
import { setIntegrationSettings } from "../../test/kit/integration-kit.ts";
import { chatKit } from "../../test/kit/outbound/chat-kit.ts";
import { platformFetch } from "../../test/kit/platform-fetch.ts";
import { params, runKit } from "../../test/kit/run-kit.ts";
import { node, workflow as workflowOf } from "../../test/kit/run-simulator.ts";
import { createLog } from "../base/process/log.ts";
import type { ChangeEvent, ClaimedDelivery } from "../core/outbound/change-event.ts";
import { chatTargetFault } from "../core/outbound/chat-target.ts";
import { outboundEvent } from "../core/outbound/outbound-event.ts";
import { readChatTarget } from "../domain/outbound/chat-target.ts";
import type { DeliveryReport, Sender } from "../engine/channel.ts";
import { EventDispatcher } from "../engine/outbound/event-dispatcher.ts";
import { pairChannels } from "../engine/outbound/target-readers.ts";
import { createDeliveryService } from "../services/engine-services.ts";
import { createChatSender } from "./chat-sender.ts";

const { app, team: newTeam } = await runKit();
const kit = await chatKit(app);
const { chat } = kit;
const sender = createChatSender(platformFetch);

beforeEach(async () => {
  chat.reset();
  chat.messages.clear();
  await setIntegrationSettings(app, kit.configured);
});

/** A team with a waiting approval, linked to a workspace, and a subscription of the team. */
async function prepared(target: (workspace: string) => object = () => ({ channel: "C1" }), instructions?: string) {
  const made = await newTeam();
  const workspace = await kit.workspace([made.id]);
  const document = { workspace, ...target(workspace) };
  const [row] = await app.sql<{ id: string }[]>`
    insert into subscription (team_id, name, channel, target) values (${made.id}, ${made.id}, 'chat', ${JSON.stringify(document)}::json) returning id`;
  const subscriptionId = row!.id;
  const asking =
    instructions === undefined ? node("ask", "approval", ["start"]) : node("ask", "manual", ["start"], params({ instructions }));
  await made.workflow("release", workflowOf(asking));
  const { id: runId } = await made.submit("release");

  async function eventOf(kind: string, status: string): Promise<ChangeEvent> {
    const [event] = await app.sql<ChangeEvent[]>`
      select id, seq::int, team_id as "teamId", kind, status, object_id as "objectId", lane_id as "laneId", team_name as "teamName",
        workflow_id as "workflowId", workflow_name as "workflowName", initiator_context as "initiatorContext", lineage, data, at
      from change_event where team_id = ${made.id} and kind = ${kind} and status = ${status} order by seq limit 1`;
    if (!event) throw new Error(`no event ${kind} ${status}`);
    return event;
  }

  /** One attempt after the other, like the deliverer; the responses are recorded. */
  async function deliver(event: ChangeEvent, attempts = 1): Promise<DeliveryReport> {
    const [queued] = await app.sql<{ id: string }[]>`
      insert into delivery (team_id, subscription_id, channel, event_id, event_seq, receiver_id, lane_id, status, due_at)
      values (${made.id}, ${subscriptionId}, 'chat', ${event.id}, ${event.seq}, ${subscriptionId}, ${event.laneId}, 'pending', db_now()) returning id`;
    let report: DeliveryReport = { outcome: "retry" };
    for (let attempt = 1; attempt <= attempts; attempt++) {
      const claimed: ClaimedDelivery = {
        ...{ id: queued!.id, channel: "chat", subscriptionId, subscriptionTeamId: made.id, teamId: made.id, receiverId: subscriptionId },
        ...{ attempt, target: document, secrets: [], event },
      };
      const read = await readChatTarget(app.sql, app.keyring, claimed);
      const outgoing = {
        deliveryId: queued!.id,
        event: outboundEvent(event, "http://127.0.0.1:8080"),
        attempt,
        signal: AbortSignal.timeout(20_000),
      };
      report = "report" in read ? read.report : await sender.send(outgoing, read.target);
      const isDone = report.outcome === "delivered";
      await app.sql`
        update delivery set last_answer = ${report.answer ?? null}, status = ${isDone ? "delivered" : "pending"},
          ended_at = ${isDone ? app.sql`db_now()` : null}, due_at = ${isDone ? null : app.sql`db_now()`} where id = ${queued!.id}`;
    }
    // The next delivery of the same lane becomes pending only after this one has ended.
    await app.sql`
      update delivery set status = 'dead', ended_at = db_now(), due_at = null where id = ${queued!.id} and status = 'pending'`;
    return report;
  }

  const decide = async (approved: boolean, comments = "fine") => {
    const { id } = (await app.as().get(`${made.path}/action/query`)).body.content[0];
    const { email, userId } = await made.member("owner");
    const answer = await app.as(await app.make.userToken(userId)).put(`${made.path}/action`, [{ id, approved, comments }]);
    if (answer.status !== 204) throw new Error(answer.text);
    return { id, email };
  };
  return { ...made, workspace, runId, eventOf, deliver, decide };
}

const shown = () => [...chat.messages.values()].map((message) => JSON.stringify(message));

describe("an event", () => {
  test("about a run is posted with its state and its link, and rings no bells", async () => {
    const { eventOf, deliver, runId } = await prepared();
    const event = await eventOf("workflowrun", "running");
    const loud = {
      ...event,
      status: "failed",
      data: { ...event.data, status: "failed", statusMessage: "<!channel> <https://evil|click> & gone" },
    };
    expect(await deliver(loud)).toMatchObject({ outcome: "delivered" });
    const [post] = chat.callsOf("chat.postMessage");
    expect(post!.args).toMatchObject({ channel: "C1", text: "Run of release: failed", metadata: { event_type: "millrace_delivery" } });
    expect(shown()[0]).toContain("&lt;!channel&gt; &lt;https://evil|click&gt; &amp; gone");
    expect(shown()[0]).not.toContain("<!");
    expect(shown()[0]).toContain(`/activity/${runId}|`);
  });

  test("of any size is posted within the platform's limits", async () => {
    const { eventOf, deliver } = await prepared(undefined, "<".repeat(9000));
    const event = await eventOf("workflowrun", "running");
    expect(await deliver({ ...event, data: { ...event.data, statusMessage: "&".repeat(50_000) } })).toMatchObject({ outcome: "delivered" });
    expect(await deliver(await eventOf("action", "submitted"))).toMatchObject({ outcome: "delivered" });
    expect(await deliver({ ...event, kind: "subscription", status: "test", data: {} })).toMatchObject({ outcome: "delivered" });
    expect(await deliver(await eventOf("taskrun", "waiting"))).toMatchObject({ outcome: "delivered" });
  });

  test("is sent to people by their addresses, once each over all attempts", async () => {
    const { eventOf, deliver, workspace } = await prepared(() => ({ emails: ["a@example.com", "nobody@example.com", "b@example.com"] }));
    const [a, b] = [kit.person(workspace, "a@example.com"), kit.person(workspace, "b@example.com")];
    chat.fail("users.lookupByEmail", { status: 200, body: `{"ok":true,"user":{"id":"${a}"}}` }, "users_not_found", {
      status: 429,
      retryAfter: 7,
    });
    const event = await eventOf("workflowrun", "running");
    expect(await deliver(event)).toMatchObject({ outcome: "retry", retryAfterMs: 7000 });
    chat.reset();
    chat.fail("users.lookupByEmail", { status: 200, body: `{"ok":true,"user":{"id":"${a}"}}` }, "users_not_found", { status: 503 });
    const report = await deliver(event, 2);
    expect(report).toMatchObject({ outcome: "delivered", error: "nobody@example.com: no user of the workspace has that address" });
    expect(chat.callsOf("chat.postMessage").map(({ args }) => args.channel)).toEqual([a, b]);
  });

  test.each<[string, Parameters<typeof chat.fail>[1], object]>([
    ["too many calls", { status: 429, retryAfter: 12 }, { outcome: "retry", retryAfterMs: 12_000 }],
    ["a failure of its own", { status: 500 }, { outcome: "retry", error: "it answered with status 500" }],
    ["a cut line", "CUT", { outcome: "retry" }],
    ["a passing failure", "internal_error", { outcome: "retry" }],
    ["a token that was revoked", "token_revoked", { outcome: "rejected", error: expect.stringContaining("has removed the app") }],
    ["a channel that is gone", "channel_not_found", { outcome: "rejected", error: expect.stringContaining("no such channel") }],
  ])("answered with %s is posted later or never, and says why", async (_, failure, expected) => {
    const { eventOf, deliver } = await prepared();
    chat.fail("chat.postMessage", failure);
    const report = await deliver(await eventOf("workflowrun", "running"));
    expect(report).toMatchObject(expected);
    expect(JSON.stringify(report)).not.toContain("xoxb");
    expect(chat.callsOf("chat.postMessage")).toHaveLength(1);
  });

  test("of a team is sent only to workspaces that are linked to the team and have the app", async () => {
    const { eventOf, deliver, workspace, id } = await prepared();
    const event = await eventOf("workflowrun", "running");
    await app.as().post("/api/v2/integration/chat/unlink", { ref: workspace, team: id });
    expect(await deliver(event)).toMatchObject({ outcome: "rejected", error: expect.stringContaining("is not linked to the team") });
    await app.sql`delete from chat_workspace where ref = ${workspace}`;
    expect(await deliver(event)).toMatchObject({ outcome: "rejected", error: expect.stringContaining("is unknown here") });
    expect(chat.calls).toEqual([]);
  });
});

describe("an action", () => {
  test("that waits is posted with buttons, and decided elsewhere the message says by whom", async () => {
    const { eventOf, deliver, decide } = await prepared(undefined, "Look");
    await deliver(await eventOf("action", "submitted"));
    expect(shown()[0]).toContain("approve-action");
    expect(shown()[0]).toContain("reject-action");
    expect(shown()[0]).toContain("Look");
    const { email } = await decide(false, "<!here> no");
    expect(await deliver(await eventOf("action", "rejected"))).toMatchObject({ outcome: "delivered" });
    expect(shown()).toHaveLength(1);
    expect(shown()[0]).toContain(`Rejected by ${email.split("@")[0]}: &lt;!here&gt; no`);
    expect(shown()[0]).not.toContain("approve-action");
  });

  test("that was decided before its message goes out has no buttons", async () => {
    const { eventOf, deliver, decide } = await prepared();
    await decide(true);
    await deliver(await eventOf("action", "submitted"));
    expect(shown()[0]).toContain("Approved by");
    expect(shown()[0]).not.toContain("approve-action");
  });

  test("whose message was deleted still works", async () => {
    const { eventOf, deliver, decide } = await prepared();
    await deliver(await eventOf("action", "submitted"));
    chat.messages.clear();
    await decide(true);
    expect(await deliver(await eventOf("action", "approved"))).toMatchObject({ outcome: "delivered" });
    expect(shown()).toEqual([]);
  });

  test("is decided by the button of the very message that was posted", async () => {
    const { eventOf, deliver, workspace, member } = await prepared();
    await deliver(await eventOf("action", "submitted"));
    const [[key, message]] = [...chat.messages] as [[string, { blocks: { elements?: { action_id: string; value: string }[] }[] }]];
    const button = message.blocks.at(-1)!.elements![0]!;
    const [channel_id, message_ts] = key.split("/");
    const owner = await member("owner");
    const user = kit.person(workspace, owner.email);
    await kit.interact(workspace, user, { type: "block_actions", actions: [button], container: { channel_id, message_ts } });
    await app.backgroundJobs.settled();
    expect(shown()[0]).toContain("Approved by");
    expect(await deliver(await eventOf("action", "approved"))).toMatchObject({ outcome: "delivered" });
    expect(shown()).toHaveLength(1);
  });
});

test("a subscription that a team makes over the API posts what it is for, from the change to the message", async () => {
  await app.sql`delete from subscription`;
  const made = await newTeam();
  const workspace = await kit.workspace([made.id]);
  const wanted = { name: "decisions", channel: "chat", target: { workspace, channel: "C1" } };
  const filters = [{ prefix: { type: "dev.millrace.action." } }];
  expect((await app.as().post(`${made.path}/subscription`, { ...wanted, filters })).status).toBe(200);
  const foreign = await newTeam();
  expect(await app.as().post(`${foreign.path}/subscription`, wanted)).toMatchObject({
    status: 400,
    body: { errors: [{ path: "/target/workspace", message: expect.stringContaining("/chat/link") }] },
  });
  expect((await app.as().post(`${made.path}/subscription`, { ...wanted, name: "other", target: { workspace } })).status).toBe(400);
  const log = createLog("silent");
  const dispatcher = new EventDispatcher({ sql: app.sql, context: app.context, bus: app.bus, log, reactions: [] });
  const channels = pairChannels([sender as Sender]);
  const deliverer = createDeliveryService(
    { sql: app.sql, keyring: app.keyring, channels, publicUrl: "http://127.0.0.1:8080", log },
    app.bus,
  );
  await made.workflow("release", workflowOf(node("ask", "approval", ["start"])));
  await made.submit("release");
  await dispatcher.tick();
  await deliverer.tick();
  expect(shown()).toHaveLength(1);
  expect(shown()[0]).toContain("approve-action");
  const [action] = (await app.as().get(`${made.path}/action/query`)).body.content;
  expect((await app.as().put(`${made.path}/action`, [{ id: action.id, approved: true }])).status).toBe(204);
  await dispatcher.tick();
  await deliverer.tick();
  expect(shown()).toHaveLength(1);
  expect(shown()[0]).toContain("Approved by admin token");
});

test.each<[Record<string, unknown>, string | undefined]>([
  [{ workspace: "T1", channel: "C1" }, undefined],
  [{ workspace: "T1", emails: ["a@example.com"] }, undefined],
  [{ channel: "C1" }, "needs `workspace`"],
  [{ workspace: "T1" }, "needs either"],
  [{ workspace: "T1", channel: "C1", emails: ["a@example.com"] }, "needs either"],
  [{ workspace: "T1", channel: "#general" }, "needs in `channel`"],
  [{ workspace: "<T>", channel: "C1" }, "needs `workspace`"],
  [{ workspace: "T1", emails: [] }, "needs in `emails`"],
  [{ workspace: "T1", emails: ["a@example.com", "a@example.com"] }, "needs in `emails`"],
  [{ workspace: "T1", emails: Array.from({ length: 11 }, (_, index) => `p${index}@example.com`) }, "needs in `emails`"],
  [{ workspace: "T1", emails: ["nobody"] }, "needs in `emails`"],
  [{ workspace: "T1", channel: "C1", url: "https://example.com" }, "has no member url"],
])("the target %j is judged as %j", (target, fault) => {
  const found = chatTargetFault(target);
  if (fault === undefined) expect(found).toBeUndefined();
  else expect(found).toContain(fault);
});
