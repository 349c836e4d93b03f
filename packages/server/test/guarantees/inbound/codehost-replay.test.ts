import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repositoryRoot } from "../../../src/base/file/repository-root.ts";
import { testApp } from "../../kit/app.ts";
import { installationOf, makeTriggered, sendFromCodehost, setIntegrationSettings } from "../../kit/integration-kit.ts";

/** Payloads in the formats that the codehost sends; and all real ones, if there is a folder of them (`event.action.json`). */

type Payload = Record<string, unknown>;
interface Delivered {
  event: string;
  payload: Payload;
}

const commit = "ec26c3e57ca3a959ca5aad62de7213c562f8c821";
const account = { login: "octo", id: 21_031_067, type: "User", html_url: "https://codehost.example/octo" };
const about = {
  repository: { id: 186_853_002, name: "Hello-World", full_name: "octo/Hello-World", owner: account },
  sender: account,
  installation: { id: 1, node_id: "x" },
};

const shapes: [string, Delivered][] = [
  ["a push of a branch", { event: "push", payload: { ref: "refs/heads/main", before: commit, after: commit, commits: [], ...about } }],
  [
    "a deleted tag",
    { event: "push", payload: { ref: "refs/tags/simple-tag", after: "0".repeat(40), deleted: true, head_commit: null, ...about } },
  ],
  [
    "a pull request",
    {
      event: "pull_request",
      payload: { action: "opened", number: 2, pull_request: { base: { ref: "master" }, head: { ref: "changes", sha: commit } }, ...about },
    },
  ],
  [
    "a comment",
    { event: "issue_comment", payload: { action: "created", issue: { number: 1 }, comment: { body: "$(params.x)" }, ...about } },
  ],
  [
    "new repositories",
    {
      event: "installation_repositories",
      payload: { action: "added", installation: installationOf(1), repositories_added: [{ name: "Space" }], repositories_removed: [] },
    },
  ],
  ["a repository", { event: "repository", payload: { action: "created", ...about } }],
  [
    "a check",
    {
      event: "check_run",
      payload: { action: "completed", check_run: { head_sha: commit, check_suite: { head_branch: "changes" } }, ...about },
    },
  ],
  [
    "a workflow run",
    { event: "workflow_run", payload: { action: "completed", workflow_run: { head_branch: "master", head_sha: commit }, ...about } },
  ],
  ["a release", { event: "release", payload: { action: "created", release: { tag_name: "0.0.1", target_commitish: "master" }, ...about } }],
  ["a new branch", { event: "create", payload: { ref: "topic", ref_type: "branch", master_branch: "master", ...about } }],
  ["a deleted branch", { event: "delete", payload: { ref: "topic", ref_type: "branch", ...about } }],
  ["the platform's trial", { event: "ping", payload: { zen: "Design for failure.", hook_id: 1, hook: { type: "App" } } }],
  ["an installation", { event: "installation", payload: { action: "created", installation: installationOf(957_387), repositories: [] } }],
  [
    "the end of an installation",
    { event: "installation", payload: { action: "deleted", installation: installationOf(2), repositories: [] } },
  ],
];

const folder = process.env["MILLRACE_PAYLOADS_DIR"] ?? join(repositoryRoot, "../shared/data/codehost-payloads");
const real = existsSync(folder)
  ? readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .sort()
  : [];

/** The payload as the app would receive it: one that was sent to a repository's own webhook does not mention an installation. */
function readReal(name: string): Delivered {
  const payload = JSON.parse(readFileSync(join(folder, name), "utf8"));
  const event = name.split(".", 1)[0] as string;
  return { event, payload: event === "ping" || payload.installation ? payload : { ...payload, installation: { id: 1 } } };
}

const secret = "webhook-secret";
const app = await testApp();
await setIntegrationSettings(app, { "codehost.webhookSecret": secret });
const team = await app.make.team();

const condition = (field: string, value: string) => ({
  codehost: { enabled: true, conditions: [{ field, operation: "matches" as const, value }] },
});
for (const [name, field, value] of [
  ["by-event", "events", "push|release|ping"],
  ["by-action", "actions", "created|completed"],
  ["by-repository", "repositories", "Hello-World|octo-repo|Space"],
  ["by-branch", "branches", "m.+|changes"],
  ["by-tag", "tags", ".+"],
  ["never", "$.no.such.member", ".*"],
] as const)
  await makeTriggered(app, team.id, name, condition(field, value));
await makeTriggered(app, team.id, "any", { codehost: { enabled: true } });
await makeTriggered(app, team.id, "can-not-start", { codehost: { enabled: true } }, { params: [{ name: "must", required: true }] });
await makeTriggered(app, team.id, "off", { webhook: { enabled: true } });

/** The subject of an event, derived from its kind. */
const facts: Record<string, string[]> = {
  push: ["by-event", "by-repository"],
  pull_request: ["by-branch", "by-repository"],
  issue_comment: ["by-action", "by-repository"],
  installation_repositories: [],
  repository: ["by-repository"],
  check_run: ["by-action", "by-branch", "by-repository"],
  workflow_run: ["by-branch", "by-repository"],
  release: ["by-action", "by-branch", "by-event", "by-repository", "by-tag"],
  create: ["by-repository"],
  delete: ["by-repository"],
};

function expected({ event, payload }: Delivered): string[] {
  if (event === "ping" || event === "installation") return [];
  const ref = String(payload["ref"]);
  const isTag = ref.startsWith("refs/tags/") || payload["ref_type"] === "tag";
  const isBranch = ref === "refs/heads/main";
  const hasAction = ["repository", "workflow_run"].includes(event) && ["created", "completed"].includes(String(payload["action"]));
  const added = (payload["repositories_added"] as { name: string }[] | undefined) ?? [];
  const removed = (payload["repositories_removed"] as { name: string }[] | undefined) ?? [];
  const isListed = [...added, ...removed].some(({ name }) => /^(Hello-World|octo-repo|Space)$/.test(name));
  const names = [...facts[event]!, "any", ...(isTag ? ["by-tag"] : []), ...(isBranch ? ["by-branch"] : [])];
  return [...names, ...(hasAction ? ["by-action"] : []), ...(isListed ? ["by-repository"] : [])].sort();
}

async function link(payload: Payload): Promise<void> {
  const id = (payload["installation"] as { id?: number } | undefined)?.id;
  if (id === undefined) return;
  await sendFromCodehost(app, { event: "installation", payload: { action: "created", installation: installationOf(id) }, secret });
  expect((await app.as().post("/api/v2/integration/codehost/link", { ref: String(id), team: team.name })).status).toBe(200);
}

test.each([...shapes, ...real.map((name): [string, Delivered] => [name, readReal(name)])])(
  "%s is answered with 200 and starts exactly the matching workflows, once",
  async (name, delivered) => {
    await link(delivered.payload);
    const delivery = `delivery of ${name}`;
    const answer = await sendFromCodehost(app, { ...delivered, secret, delivery });
    expect(answer.status, answer.text).toBe(200);
    const started = expected(delivered);
    expect(answer.body.runs.map((run: { workflowName: string }) => run.workflowName).sort()).toEqual(started);
    expect(answer.body.refused.map((one: { workflowName: string }) => one.workflowName)).toEqual(
      started.length > 0 ? ["can-not-start"] : [],
    );
    const before = await app.sql`select count(*)::int as count from run`;
    expect((await sendFromCodehost(app, { ...delivered, secret, delivery })).text).toBe(answer.text);
    expect(await app.sql`select count(*)::int as count from run`).toEqual(before);
  },
);

test("events of an unknown installation are not stored, and those of a suspended one start nothing", async () => {
  const payload = { ref: "refs/heads/main", ...about, installation: { id: 4711 } };
  expect((await sendFromCodehost(app, { event: "push", payload, secret })).body).toEqual({ runs: [], refused: [] });
  expect(await app.sql`select 1 from installation where ref = '4711'`).toHaveLength(0);
  await link(payload);
  expect((await sendFromCodehost(app, { event: "push", payload, secret })).body.runs).not.toHaveLength(0);
  const suspended = { ...installationOf(4711), suspended_at: "2026-03-01T12:00:00Z" };
  await sendFromCodehost(app, { event: "installation", payload: { action: "suspend", installation: suspended }, secret });
  expect((await sendFromCodehost(app, { event: "push", payload, secret })).body).toEqual({ runs: [], refused: [] });
  await sendFromCodehost(app, { event: "installation", payload: { action: "unsuspend", installation: installationOf(4711) }, secret });
  expect((await sendFromCodehost(app, { event: "push", payload, secret })).body.runs).not.toHaveLength(0);
});
