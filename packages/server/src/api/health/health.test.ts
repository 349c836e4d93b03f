import { expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";

let isEngineThere = true;
let isSandboxThere = true;
const app = await testApp({
  services: {
    executors: () => [
      { kind: "process", available: isSandboxThere, isolation: "bubblewrap", detail: "bubblewrap 0.8 in /usr/bin" },
      { kind: "container", available: isEngineThere, isolation: "docker", detail: isEngineThere ? "Docker 26" : "no /run/docker.sock" },
    ],
  },
});
const shown = async (token: string | null | undefined) => (await app.as(token).get("/health")).body;

test("everyone can read that the process is alive and which executors work", async () => {
  const process = { kind: "process", available: true, isolation: "bubblewrap" };
  isEngineThere = true;
  expect(await shown(null)).toEqual({
    status: "up",
    database: "up",
    executors: [process, { kind: "container", available: true, isolation: "docker" }],
  });
  isEngineThere = false;
  expect(await shown(null)).toEqual({
    status: "up",
    database: "up",
    executors: [process, { kind: "container", available: false, isolation: "docker" }],
  });
});

test("the reason for a failing executor is shown to administrators only; a bad credential counts as none", async () => {
  isEngineThere = false;
  expect((await shown(undefined)).executors[1]).toMatchObject({ available: false, detail: "no /run/docker.sock" });
  const owner = await app.make.member((await app.make.team()).id, "owner");
  for (const token of [null, "no-such-token-at-all", owner.token]) expect(JSON.stringify(await shown(token))).not.toContain("detail");
});

test("a process without a working executor says so, and still counts as alive", async () => {
  [isEngineThere, isSandboxThere] = [false, false];
  const answer = await app.as(null).get("/health");
  expect(answer).toMatchObject({ status: 200, body: { status: "degraded" } });
  isSandboxThere = true;
  expect(await shown(null)).toMatchObject({ status: "up" });
});
