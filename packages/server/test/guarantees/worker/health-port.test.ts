import { describe, expect, test } from "vitest";
import { testInstance } from "../../kit/start/test-instance.ts";

/** Processes without the role `api`, as probes and Prometheus see them. */
const token = "admin-token-of-the-health-port";
const noEngine = { MILLRACE_EXECUTORS: "container", MILLRACE_CONTAINER_HOST: "unix:///nonexistent/docker.sock" };

async function start(environment: Record<string, string>) {
  const { instance } = await testInstance({ MILLRACE_HEALTH_PORT: "0", MILLRACE_ADMIN_TOKEN: token, ...environment });
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${instance.healthAddress}${path}`, { headers });
    return { status: answer.status, text: await answer.text() };
  };
  return { instance, get };
}

describe("a worker alone", () => {
  test("answers about its health, and nothing else", async () => {
    const { instance, get } = await start({ MILLRACE_ROLES: "worker" });
    expect(instance.address).toBeUndefined();
    expect(await get("/ready")).toMatchObject({ status: 200 });
    expect(JSON.parse((await get("/health")).text)).toMatchObject({ status: "up", executors: [{ kind: "process", available: true }] });
    expect(await get("/metrics")).toMatchObject({ status: 401 });
    const metrics = await get("/metrics", { authorization: `Bearer ${token}` });
    expect(metrics.text).toContain("process_cpu_seconds_total");
    for (const path of ["/", "/api/v2/profile", "/api/v2/team/query", "/api/v2/settings"])
      expect(await get(path, { authorization: `Bearer ${token}` })).toMatchObject({ status: 404 });
  });

  test("is not ready while none of its executors works, and says why", async () => {
    const { get } = await start({ MILLRACE_ROLES: "worker", ...noEngine });
    const { status, text } = await get("/ready");
    expect(status).toBe(503);
    expect(text).toContain("no executor works (container");
    expect(JSON.parse((await get("/health")).text)).toMatchObject({ status: "degraded" });
  });
});

test("a process that also advances runs is ready without an executor", async () => {
  const { get } = await start({ MILLRACE_ROLES: "engine,worker", ...noEngine });
  expect(await get("/ready")).toMatchObject({ status: 200 });
});

test("a port that is taken is reported with the setting to change", async () => {
  const { instance } = await start({ MILLRACE_ROLES: "engine" });
  const taken = new URL(instance.healthAddress as string).port;
  await expect(start({ MILLRACE_ROLES: "engine", MILLRACE_HEALTH_PORT: taken })).rejects.toThrow(
    "set MILLRACE_HEALTH_PORT to another port",
  );
});
