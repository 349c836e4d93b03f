import { spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import Fastify from "fastify";
import type { BenchContext } from "./bench-context.ts";
import type { Measurement } from "./report.ts";
import { median, ratePerSecond, timeMs } from "./statistics.ts";

/** The performance of the same machine without the service. Names are short, because ratios refer to them. */
export const floorNames = { select: "select 1", commit: "one-row commit", route: "bare route", spawn: "bare sh" } as const;

export async function measureDatabase({ service: { database }, isQuick }: BenchContext): Promise<Measurement[]> {
  const durationMs = isQuick ? 500 : 2_000;
  const selects = () => database`select 1`;
  await database`create table if not exists bench_floor (id bigint generated always as identity primary key, note text)`;
  const commits = () => database`insert into bench_floor (note) values ('a row of about the size of a state change, give or take')`;
  await ratePerSecond(durationMs / 4, 32, selects);
  const one = await ratePerSecond(durationMs, 1, selects);
  const many = await ratePerSecond(durationMs, 32, selects);
  const commitOne = await ratePerSecond(durationMs, 1, commits);
  const commitMany = await ratePerSecond(durationMs, 32, commits);
  await database`drop table bench_floor`;
  return [
    { name: `${floorNames.select}, 1 at a time`, value: one, unit: "/s" },
    { name: `${floorNames.select}, 32 at once`, value: many, unit: "/s" },
    { name: `${floorNames.commit}, 1 at a time`, value: commitOne, unit: "/s" },
    { name: `${floorNames.commit}, 32 at once`, value: commitMany, unit: "/s" },
  ];
}

/** A fastify route with a JSON body and response, in this process, so client and server share the cores as in the cases. */
export async function startBareRoute(): Promise<{ call: () => Promise<void>; stop: () => Promise<void> }> {
  const app = Fastify();
  app.post("/", async (incoming) => incoming.body);
  const address = new URL(await app.listen({ host: "127.0.0.1", port: 0 }));
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const call = () =>
    new Promise<void>((resolve, reject) => {
      const headers = { "content-type": "application/json" };
      const sent = request({ host: address.hostname, port: address.port, method: "POST", agent, headers }, (response) => {
        response.resume().on("end", resolve);
      });
      sent.on("error", reject).end('{"params":[]}');
    });
  const stop = async () => {
    agent.destroy();
    await app.close();
  };
  return { call, stop };
}

export async function measureRoute({ isQuick }: BenchContext): Promise<Measurement[]> {
  const { call, stop } = await startBareRoute();
  await ratePerSecond(300, 32, call);
  const one = await ratePerSecond(isQuick ? 500 : 1_500, 1, call);
  const many = await ratePerSecond(isQuick ? 500 : 1_500, 32, call);
  await stop();
  return [
    { name: `${floorNames.route}, 1 at a time`, value: one, unit: "/s" },
    { name: `${floorNames.route}, 32 at once`, value: many, unit: "/s" },
  ];
}

export async function spawnOnce(): Promise<void> {
  const child = spawn("sh", ["-c", ":"], { stdio: ["ignore", "pipe", "pipe"] });
  await once(child, "close");
}

export async function measureSpawn({ isQuick }: BenchContext): Promise<Measurement[]> {
  const times: number[] = [];
  for (let index = 0; index < (isQuick ? 30 : 200); index++) times.push(await timeMs(spawnOnce));
  return [{ name: floorNames.spawn, value: median(times), unit: "ms" }];
}
