import { beforeEach, expect, test } from "vitest";
import { findTokenSource } from "../../../src/domain/integration/find-token-source.ts";
import { wakeForSubmitted } from "../../../src/domain/run/report-changes.ts";
import { CodehostClients } from "../../../src/integrations/codehost/codehost-client.ts";
import { linkInstallation, saveInstallation } from "../../../src/store/integration/installations.ts";
import { addInstallation, fakeCodehost } from "../../fakes/fake-codehost.ts";
import { testDatabase } from "../../kit/database.ts";
import { setIntegrationSettings } from "../../kit/integration-kit.ts";
import { platformFetch } from "../../kit/platform-fetch.ts";
import { node, workflow } from "../../kit/run-simulator.ts";
import { workerKit } from "../../kit/worker/worker-kit.ts";

const host = await fakeCodehost();
const clients = new CodehostClients(platformFetch);
const kit = await workerKit((await testDatabase()).sql, ({ keyring }) => async (teamId, origin) => {
  const { app, ref, repositoryId } = await findTokenSource(kit.sql, keyring, teamId, origin);
  return (await clients.of(app).token(ref, repositoryId)).token;
});
const settings = { "codehost.appId": host.appId, "codehost.pem": host.pem, "codehost.baseURL": host.url };
const withSettings = (more: Record<string, string> = {}) =>
  setIntegrationSettings({ sql: kit.sql, keyring: kit.context.keyring }, { ...settings, ...more });
beforeEach(() => withSettings());

let count = 3000;
async function linkedTeam() {
  const id = count++;
  addInstallation(host, id, {
    repositories: [
      { id: id * 10, name: "shop" },
      { id: id * 10 + 1, name: "docs" },
    ],
  });
  const team = await kit.team();
  const row = await saveInstallation(kit.sql, { ref: String(id), data: { id }, status: "active", repositories: [], madeAt: "now" });
  await linkInstallation(kit.sql, team, row.id);
  return { team, id };
}

/** Prints the token, stores as much of it as possible in a result, and reports its length. */
const script = `token='$(context.codehost-token)'
echo "got $token"
printf '%s' "$token" > $(results.token.path)
printf '%s' "\${#token}" > $(results.length.path)`;
const use = (more = {}) =>
  workflow(
    node("use", "script", ["start"], {
      params: [{ name: "script", value: script }],
      results: [{ name: "token" }, { name: "length" }],
      ...more,
    }),
  );

async function run(team: string, name: string, more = {}) {
  const state = await kit.submit(team, name, more);
  wakeForSubmitted(kit.bus, state);
  const row = await kit.ended(team, state.id);
  const task = (await kit.tasks(team, state.id)).find((one) => one.name === "use")!;
  return { row, task, log: await kit.log(team, task.id) };
}
const lastToken = () => [...host.tokens].at(-1)!;

test("a task gets a token of its team's installation, which is in no log, result or parameter", async () => {
  const { team, id } = await linkedTeam();
  await kit.workflow(team, "use", use());
  const { row, task, log } = await run(team, "use");
  expect(row.status).toBe("succeeded");
  const [token, { installation, repositoryIds }] = lastToken();
  expect({ installation, repositoryIds }).toEqual({ installation: id, repositoryIds: undefined });
  expect(task.results).toEqual([
    { name: "token", value: "***" },
    { name: "length", value: String(token.length) },
  ]);
  expect(log).toContain("got ***");
  expect(task.params).toEqual([{ name: "script", value: script }]);
  const [stored] = await kit.sql`select string_agg(t::text, '') as text from (select * from task_run) t`;
  expect(stored!["text"]).not.toContain(token);
});

test("the token of a run that an event of the codehost has started is for the repository of the event", async () => {
  const { team, id } = await linkedTeam();
  await kit.workflow(team, "use", use());
  const data = { installation: { id }, repository: { id: id * 10 + 1, name: "docs" } };
  const { row } = await run(team, "use", { trigger: "codehost", request: { params: [{ name: "data", value: data }] } });
  expect(row.status).toBe("succeeded");
  expect(lastToken()[1]).toMatchObject({ installation: id, repositoryIds: [id * 10 + 1] });
});

test("a payload that names an installation of others gets no token", async () => {
  const [{ team }, other] = [await linkedTeam(), await linkedTeam()];
  await kit.workflow(team, "use", use());
  const before = host.requests.length;
  const data = { installation: { id: other.id }, repository: { id: other.id * 10 } };
  const { row, task } = await run(team, "use", { trigger: "codehost", request: { params: [{ name: "data", value: data }] } });
  expect(row.status).toBe("failed");
  expect(task).toMatchObject({ status: "failed", reason: "CodehostToken" });
  expect(task.statusMessage).toContain(`not linked to installation ${other.id}`);
  expect(host.requests.length).toBe(before);
});

test("text from a parameter is not replaced with the token", async () => {
  const { team } = await linkedTeam();
  const echo = node("use", "script", ["start"], { params: [{ name: "script", value: "printf '%s' '$(params.text)'" }] });
  await kit.workflow(team, "echo", workflow(echo), { params: [{ name: "text", type: "text" }] });
  const before = host.requests.length;
  const { log } = await run(team, "echo", { request: { params: [{ name: "text", value: "$(context.codehost-token)" }] } });
  expect(log).toContain("$(context.codehost-token)");
  expect(host.requests.length).toBe(before);
});

test("without a token the attempt fails with the reason, is tried again, and goes on when there is one", async () => {
  const { team, id } = await linkedTeam();
  await kit.workflow(team, "use", use({ retry: { count: 1, backoffMs: 1 } }));
  host.disturb(`POST /app/installations/${id}`, { status: 403, headers: { "retry-after": "300" }, body: { message: "slow down" } });
  const { row, task } = await run(team, "use");
  expect(row.status).toBe("succeeded");
  expect(task.attempt).toBe(2);
});

test.each([
  ["no app", { "codehost.appId": "", "codehost.pem": "" }, "codehost.appId"],
  ["another app", { "codehost.appId": "78" }, "codehost.appId"],
])("with %s the attempt fails and names what to fix", async (_, more, words) => {
  const { team } = await linkedTeam();
  await kit.workflow(team, "use", use());
  await withSettings(more);
  const { task } = await run(team, "use");
  expect(task).toMatchObject({ status: "failed", reason: "CodehostToken" });
  expect(task.statusMessage).toContain(words);
});

test("other tasks that are claimed with it do not wait for the token", async () => {
  const { team, id } = await linkedTeam();
  const fast = node("fast", "script", ["start"], { params: [{ name: "script", value: "true" }] });
  await kit.workflow(team, "both", workflow(use().find(({ name }) => name === "use")!, fast));
  const release = host.hold(`POST /app/installations/${id}`);
  const state = await kit.submit(team, "both");
  wakeForSubmitted(kit.bus, state);
  await kit.until(async () => (await kit.tasks(team, state.id)).find((one) => one.name === "fast" && one.status === "succeeded"));
  release();
  expect((await kit.ended(team, state.id)).status).toBe("succeeded");
});
