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

test("everyone hears that the process is alive, and which executors work at the moment", async () => {
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

test("why one does not work is shown to administrators of the instance only, and a bad credential is that of nobody", async () => {
  isEngineThere = false;
  expect((await shown(undefined)).executors[1]).toMatchObject({ available: false, detail: "no /run/docker.sock" });
  const owner = await app.make.member((await app.make.team()).id, "owner");
  for (const token of [null, "no-such-token-at-all", owner.token]) expect(JSON.stringify(await shown(token))).not.toContain("detail");
});

test("that no executor works is said, and the process is alive nevertheless", async () => {
  [isEngineThere, isSandboxThere] = [false, false];
  const answer = await app.as(null).get("/health");
  expect(answer).toMatchObject({ status: 200, body: { status: "degraded" } });
  isSandboxThere = true;
  expect(await shown(null)).toMatchObject({ status: "up" });
});
