import { expect, test } from "vitest";
import { wakeForSubmitted } from "../../../src/domain/run/report-changes.ts";
import { testDatabase } from "../../kit/database.ts";
import { node, workflow } from "../../kit/run-simulator.ts";
import { workerKit } from "../../kit/worker/worker-kit.ts";

const kit = await workerKit((await testDatabase()).sql);
const script = (text: string, more = {}) => ({ params: [{ name: "script", value: text }], ...more });

async function run(team: string, name: string, more = {}) {
  const state = await kit.submit(team, name, more);
  wakeForSubmitted(kit.bus, state);
  return state;
}

test("a chain of scripts passes results on, and each log is complete when its task run is over", async () => {
  const team = await kit.team();
  const hello = node("hello", "script", ["start"], {
    ...script("echo working\nprintf Oslo > $(results.city.path)"),
    results: [{ name: "city" }],
  });
  const use = node("use", "script", [{ from: "hello", on: "success" }], script("echo got $(tasks.hello.results.city)"));
  await kit.workflow(team, "chain", workflow(hello, use));
  const { id } = await run(team, "chain");
  expect((await kit.ended(team, id)).status).toBe("succeeded");
  const tasks = await kit.tasks(team, id);
  expect(tasks.find((task) => task.name === "hello")?.results).toEqual([{ name: "city", value: "Oslo" }]);
  expect(await kit.log(team, tasks.find((task) => task.name === "use")?.id as string)).toContain("got Oslo");
});

test("a script that fails says its exit code, and its results are kept", async () => {
  const team = await kit.team();
  await kit.workflow(
    team,
    "fails",
    workflow(node("bad", "script", ["start"], { ...script("printf 1 > $(results.n.path); exit 3"), results: [{ name: "n" }] })),
  );
  const { id } = await run(team, "fails");
  expect((await kit.ended(team, id)).status).toBe("failed");
  const [bad] = (await kit.tasks(team, id)).filter((task) => task.name === "bad");
  expect(bad).toMatchObject({ status: "failed", reason: "ExitCode", results: [{ name: "n", value: "1" }] });
  expect(bad?.statusMessage).toContain("exit code 3");
});

test("forEach runs a script for each item with its own parameters", async () => {
  const team = await kit.team();
  const each = {
    forEach: { items: ["a", "b", "c"], parallel: 2 },
    results: [{ name: "out" }],
    ...script("printf '%s-%s' '$(params.item)' '$(params.item-index)' > $(results.out.path)"),
  };
  await kit.workflow(team, "each", workflow(node("each", "script", ["start"], each)));
  const { id } = await run(team, "each");
  await kit.ended(team, id);
  const [parent] = await kit.tasks(team, id).then((tasks) => tasks.filter((task) => task.name === "each"));
  expect(parent?.results).toEqual([{ name: "out", value: ["a-0", "b-1", "c-2"] }]);
});

test("a loop runs a script round after round, each with what the one before left", async () => {
  const team = await kit.team();
  const rounds = {
    loop: { until: { value: "$(loop.previous.results.out)", matches: "3" } },
    results: [{ name: "out" }],
    ...script("printf '%s' \"$(($(loop.index) + 1))\" > $(results.out.path); echo 'before: [$(loop.previous.results.out)]'"),
  };
  await kit.workflow(team, "rounds", workflow(node("count", "script", ["start"], rounds)));
  const { id } = await run(team, "rounds");
  await kit.ended(team, id);
  const tasks = await kit.tasks(team, id);
  expect(tasks.find(({ name }) => name === "count")).toMatchObject({ status: "succeeded", results: [{ name: "out", value: "3" }] });
  const scripts = tasks.filter(({ item }) => item !== null).map(({ params }) => params.find(({ name }) => name === "script")?.value);
  expect(scripts.map((text) => /before: .*\]/.exec(String(text))?.[0])).toEqual(["before: []", "before: [1]", "before: [2]"]);
});

test("cancelling a run ends its process", async () => {
  const team = await kit.team();
  await kit.workflow(team, "long", workflow(node("sleep", "script", ["start"], script("echo started; sleep 600"))));
  const { id } = await run(team, "long");
  const task = await kit.until(async () => (await kit.tasks(team, id)).find((one) => one.name === "sleep" && one.status === "running"));
  await kit.driver.advance([{ teamId: team, id, events: [{ kind: "cancel", message: "Cancelled by test" }] }]);
  expect((await kit.ended(team, id)).status).toBe("cancelled");
  expect((await kit.tasks(team, id)).find((one) => one.id === task.id)).toMatchObject({ status: "cancelled", workerId: null });
});

test("a failed attempt is tried again, with a record of each", async () => {
  const team = await kit.team();
  const flaky = { retry: { count: 3, backoffMs: 1 }, ...script('test "$(context.task.retry-count)" -ge 2') };
  await kit.workflow(team, "flaky", workflow(node("flaky", "script", ["start"], flaky)));
  const { id } = await run(team, "flaky");
  expect((await kit.ended(team, id)).status).toBe("succeeded");
  expect((await kit.tasks(team, id)).find((task) => task.name === "flaky")?.attempt).toBe(3);
});

test("a chain of forty scripts runs through", { timeout: 300_000 }, async () => {
  const team = await kit.team();
  const nodes = Array.from({ length: 40 }, (_, index) =>
    node(`n${index}`, "script", [index === 0 ? "start" : `n${index - 1}`], script("true")),
  );
  await kit.workflow(team, "forty", workflow(...nodes));
  const { id } = await run(team, "forty");
  const ended = await kit.ended(team, id);
  expect(ended.status).toBe("succeeded");
  console.log("forty scripts:", (ended.endedAt as Date).getTime() - (ended.startedAt as Date).getTime(), "ms");
});

test("a task that asks for the network of the machine without being allowed to is invalid, and says what is missing", async () => {
  const team = await kit.team();
  const asking = script("true", { annotations: { "millrace.dev/network": "host" } });
  await kit.workflow(team, "asking", workflow(node("asking", "script", ["start"], asking)));
  const ask = async () => {
    const { id } = await run(team, "asking");
    await kit.ended(team, id);
    return (await kit.tasks(team, id)).find((task) => task.name === "asking");
  };
  expect(await ask()).toMatchObject({ status: "invalid", statusMessage: expect.stringContaining("MILLRACE_ALLOW_HOST_NETWORK=true") });
  kit.context.allowsHostNetwork = true;
  expect(await ask()).toMatchObject({ status: "invalid", statusMessage: expect.stringContaining("allowHostNetwork of the team") });
});

test("a script has no network, unless its node asks for it", async () => {
  const team = await kit.team();
  kit.context.allowsHostNetwork = true;
  await kit.sql`update team set allows_host_network = true where id = ${team}`;
  const interfaces = script(
    "ls /sys/class/net 2>/dev/null | grep -v '^lo$' | head -n 1 > /dev/null; cat /proc/net/route | wc -l | tr -d ' ' > $(results.routes.path)",
    { results: [{ name: "routes" }] },
  );
  const asking = { ...interfaces, annotations: { "millrace.dev/network": "host" } };
  await kit.workflow(
    team,
    "network",
    workflow(node("without", "script", ["start"], interfaces), node("with", "script", ["start"], asking)),
  );
  const { id } = await run(team, "network");
  await kit.ended(team, id);
  const routes = Object.fromEntries((await kit.tasks(team, id)).map((task) => [task.name, Number(task.results[0]?.value)]));
  expect(routes["without"]).toBeLessThanOrEqual(1);
  expect(routes["with"]).toBeGreaterThan(1);
});
