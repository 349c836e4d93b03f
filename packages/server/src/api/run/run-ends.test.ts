import { beforeEach, expect, test } from "vitest";
import { testDatabase } from "../../../test/kit/database.ts";
import { engineKit } from "../../../test/kit/engine-kit.ts";
import { node, workflow } from "../../../test/kit/run-simulator.ts";
import { EventBus } from "../../base/process/event-bus.ts";
import { channels } from "../../domain/run/report-changes.ts";
import { RunEnds } from "./run-ends.ts";

/** Those who wait for a run cost the database one look each, and nobody else anything. */
const statements: string[] = [];
const { sql } = await testDatabase({ onStatement: (text) => void statements.push(text) });
const kit = engineKit(sql);
const looks = () => statements.filter((text) => text.includes("from unnest") && text.includes("r.status")).length;
const never = 2_000_000_000;

beforeEach(async () => {
  await sql`truncate team cascade`;
  statements.length = 0;
});

async function someRun() {
  const team = await kit.team();
  await kit.workflow(team, "waits", workflow(node("gate", "eventwait", ["start"], { params: [{ name: "topic", value: "go" }] })));
  const { id } = await kit.submit(team, "waits");
  await kit.settle();
  const go = () =>
    kit.driver.advance([{ teamId: team, id, events: [{ kind: "callback", topic: "go", status: "succeeded", payload: null }] }]);
  return { team, id, go };
}

function waitOften(ends: RunEnds, { team, id }: { team: string; id: string }, times: number): Promise<unknown> {
  return Promise.all(Array.from({ length: times }, () => ends.wait(team, id, never, [])));
}

test("changes of a run before its end cause no query, and neither does its end", async () => {
  const run = await someRun();
  const ends = new RunEnds(sql, kit.bus, never);
  const waiting = waitOften(ends, run, 20);
  for (let change = 0; change < 50; change++) {
    kit.bus.wake(channels.runs, run.id);
    await sql`select 1`;
  }
  await run.go();
  await waiting;
  expect(looks()).toBe(20);
});

test("an unpublished end is found by one query for all waiters", async () => {
  const [one, other] = [await someRun(), await someRun()];
  const bus = new EventBus();
  const ends = new RunEnds(sql, bus, never);
  const waiting = [waitOften(ends, one, 20), waitOften(ends, other, 20)];
  await sql`select 1`;
  while (looks() < 40) await sql`select 1`;
  await one.go();
  await sql`delete from run where id = ${other.id}`;
  // After a lost connection anything may have happened.
  bus.deliver(channels.ended, undefined);
  await Promise.all(waiting);
  expect(looks()).toBe(41);
});

test("a wait for a run that this process has just recorded needs no look, and does not miss an end before it", async () => {
  const ends = new RunEnds(sql, kit.bus, never);
  const first = await someRun();
  await ends.wait(first.team, first.id, 1, [], true);
  expect(looks(), "it has not listened before").toBe(1);
  const [ended, open] = [await someRun(), await someRun()];
  await ended.go();
  await sql`select 1`;
  await ends.wait(ended.team, ended.id, never, [], true);
  const waiting = ends.wait(open.team, open.id, never, [], true);
  await open.go();
  await waiting;
  expect(looks()).toBe(1);
});

test("it polls by itself", async () => {
  const run = await someRun();
  const waiting = waitOften(new RunEnds(sql, new EventBus(), 1), run, 2);
  await run.go();
  await waiting;
});

test("a wait ends with its time and with its client", async () => {
  const { team, id } = await someRun();
  const ends = new RunEnds(sql, kit.bus, never);
  await ends.wait(team, id, 1, []);
  const client = new AbortController();
  const waiting = ends.wait(team, id, never, [client.signal]);
  client.abort();
  await waiting;
  await ends.wait(team, id, never, [client.signal]);
  await ends.wait(await kit.team(), id, never, []);
});
