import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { Keyring } from "../../../src/base/secret/keyring.ts";
import { LiveSettings } from "../../../src/domain/settings/live-settings.ts";
import { testApp, testRunContext } from "../../kit/app.ts";
import { executedFiles } from "../../kit/documents/executed-files.ts";
import { engineKit } from "../../kit/engine-kit.ts";
import { node, workflow } from "../../kit/run-simulator.ts";
import { workerKit } from "../../kit/worker/worker-kit.ts";

// To understand a request, a reader reads the files that it executes. They are counted with those that every request runs (16 files of
// `http`, `policy` and `base`), and without the driver, which is a package of its own. A change that needs more files must say why: the last
// one is that of work in slices.

/** Read once: on a slow machine they would expire, and each of the requests would read them again. */
const readOnce = () => new LiveSettings(() => 0);

const key = randomBytes(32);
const app = await testApp({
  config: { checkAnswers: false, adminToken: "admin-token-of-the-tests" },
  keys: [key],
  services: { runs: { ...testRunContext(new Keyring([key])), settings: readOnce() } },
});
const { team: addTeam, workflow: addWorkflow } = engineKit(app.sql);
const team = await addTeam();
const path = `/api/v2/team/${team}`;
await addWorkflow(team, "script", workflow(node("only", "script", ["start"], { params: [{ name: "script", value: "echo hello" }] })));

async function submit(): Promise<string> {
  const answer = await app.as().post(`${path}/workflow/script/submit`, {});
  expect(answer.status, answer.text).toBe(200);
  return answer.body.id;
}

/**
 * The files of each of three attempts: background work on a slow machine (a heartbeat, a check for overdue work) falls into only one of
 * them.
 */
async function expectFiles(most: number, act: () => Promise<void>): Promise<void> {
  await act();
  const [first = [], ...others] = await executedFiles(3, act);
  const files = first.filter((file) => others.every((again) => again.includes(file)));
  expect(files.length, files.join("\n")).toBeLessThanOrEqual(most);
}

// No engine runs beside these two: its work at the same time would be counted.
test("reading a team executes at most 25 files", () => expectFiles(25, async () => void (await app.as().get(path))));

test("submitting a run executes at most 40 files", () => expectFiles(40, async () => void (await submit())));

// What a step has nothing of (volumes, workspaces, privileges, limits, outbound access) is not asked for; StepActions and values of other
// steps are part of how each step is read. Two of the files are for the sandbox of the next step, which is not made in every attempt.
test("a run of a script executes at most 124 files to its end", async () => {
  const kit = await workerKit(app.sql);
  kit.context.settings = readOnce();
  await expectFiles(124, async () => void (await kit.ended(team, await submit())));
});
