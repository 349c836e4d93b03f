import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { whyNotClaimed } from "../../server/src/api/run/why-not-claimed.ts";
import { repositoryRoot } from "../../server/src/base/file/repository-root.ts";
import { instructionsFault, readActionRules, readApproversWanted } from "../../server/src/core/action/action-rules.ts";
import { parseCron } from "../../server/src/core/cron/parse-cron.ts";
import { whyScheduleWaits } from "../../server/src/core/schedule/why-schedule-waits.ts";
import { describeFacts } from "../../server/src/executors/container/engine/engine-facts.ts";
import { describeSeclusion } from "../../server/src/executors/process/isolation/seclusion.ts";
import { describeLimits } from "../../server/src/executors/process/launcher-limits.ts";
import { stepVerdict, stoppedVerdict } from "../../server/src/executors/steps/outcomes.ts";
import { outcomeInGerman } from "../src/api/german-outcomes.ts";
import { problemFamilies, problemInGerman } from "../src/api/german-problems.ts";
import { reasonInGerman } from "../src/api/german-reasons.ts";
import { workerDetailInGerman } from "../src/pages/admin/workers/german-details.ts";
import { explainedReasons } from "../src/pages/run/task-reason.ts";

const server = join(repositoryRoot, "packages/server/src");

function sourcesIn(...folders: string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(server, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !/\.test\.ts$|exercise-/.test(name))
      .map((name) => readFileSync(join(server, folder, name), "utf8")),
  );
}

/** They say all by themselves, or are said in other words (a task is skipped, a run is cancelled). */
const plain = ["Succeeded", "Pinned", "MarkedSucceeded", "PathNotTaken", "Cancelled", "Superseded", "Skipped", "TaskFailed"];

test("each reason with which the service may end a task is explained in both languages", () => {
  const text = sourcesIn("core/run", "core/task", "core/parameter", "tasks", "engine", "executors", "domain/run", "domain/external").join(
    "\n",
  );
  const found = [...text.matchAll(/(?:\breason: |\b(?:failed|lost|invalid)\()"([A-Z][a-z]\w+)"/g)].map(([, reason]) => reason as string);
  const names = [...new Set(found)].filter((reason) => !plain.includes(reason));
  expect(names.length).toBeGreaterThan(30);
  expect(names.filter((reason) => !explainedReasons.has(reason))).toEqual([]);
});

/** Texts in the sources, with `7` for each value. Those with templates inside of templates are left to the tests below. */
function sentencesIn(text: string): string[] {
  const starts =
    /(?:\bmessage(?: =|:)|\bdetail:|waitDetail(?: =|:)|\breturn|\bheldTexts[^}]*:|\?|:|\bfailed\("\w+",)\s*(`[^`]*`|"[^"\n]*"|'[^'\n]*')/g;
  return [...text.matchAll(starts)]
    .map(([, literal]) => (literal as string).slice(1, -1).replaceAll(/\$\{[^{}]*\}/g, "7"))
    .filter((sentence) => /^[A-Z][a-z]+ .* /.test(sentence) && !sentence.includes("${"));
}

test("no sentence about why a task or a run waits is left in English", () => {
  const files = [
    "api/run/wait.view.ts",
    "api/run/run.view.ts",
    "core/run/start-task.ts",
    "core/run/finish-task.ts",
    "core/run/loops/run-loop.ts",
  ];
  const more = ["core/run/items/for-each.ts", "core/run/consider-node.ts", "tasks/lock.ts", "tasks/waits.ts", "tasks/run-workflow.ts"];
  const sentences = [...files, ...more].flatMap((file) => sentencesIn(readFileSync(join(server, file), "utf8")));
  expect(sentences.length).toBeGreaterThan(20);
  // Its parts are put together in the source.
  const whole = [
    "Waiting for an engine to start it",
    "Waiting in the queue for an engine to start it",
    "Waiting for an engine to continue it",
  ];
  const all = [...sentences.filter((sentence) => sentence !== "Waiting 7for an engine to 7 it"), ...whole];
  expect(all.filter((sentence) => reasonInGerman(sentence) === sentence)).toEqual([]);
});

/** English words that no German sentence has; what is in quotes is a name, and paths and settings stay. */
const english = /\b(the|of|is|are|has|have|and|with|by|for|its|it|not|step|ended|because)\b/i;
const wordsOf = (sentence: string) => sentence.replaceAll(/"[^"]*"|GET \/health|MILLRACE_\w+|loop\.maxRounds/g, "");

function expectGerman(sentences: readonly string[]): void {
  expect(sentences.map(reasonInGerman).filter((sentence) => english.test(wordsOf(sentence)))).toEqual([]);
}

test("no part of why no worker claims a task is left in English", () => {
  const worker = { id: "w", executors: ["process"], configured: ["process"], labels: ["big"], slots: 2, busy: 2, faults: {} };
  const share = { held: 2, teams: 2, most: 1 };
  const lives: object[][] = [
    [],
    [worker],
    [{ ...worker, slots: 1, busy: 1 }],
    [worker, worker],
    [{ ...worker, busy: 0 }],
    [{ ...worker, slots: 4, busy: 2, share }],
    [{ ...worker, executors: [] }],
    [
      { ...worker, executors: [], faults: { process: ["the disk of the worker is full"] } },
      { ...worker, executors: [] },
    ],
    [{ ...worker, executors: [], configured: [] }],
  ];
  const places = new Map([["p", { id: "p", host: "mill-1", seenAt: new Date(0) }]]) as never;
  const tasks = [[], ["big"], ["gpu"], ["gpu", "arm"]].flatMap((runsOn) => ["", "p", "store"].map((place) => ({ runsOn, place })));
  const placed = [...lives, ...lives.map((workers) => workers.map((one) => ({ ...one, place: "p" })))];
  const sentences = placed.flatMap((workers) => tasks.map((task) => whyNotClaimed(task, "process" as never, workers as never, places)));
  const external = [undefined, new Set<string>(), new Set(["press"])].map((asked) =>
    whyNotClaimed(tasks[0]!, "external/press" as never, [], places, asked),
  );
  expect(new Set(sentences).size).toBeGreaterThan(15);
  expectGerman([...new Set(sentences), ...external]);
});

test("no part of how an attempt ended is left in English", () => {
  const causes = [{ why: "cancelled" }, { why: "shutdown" }, { why: "timedout" }, { why: "step-timedout", afterMs: 5_000 }] as const;
  const stopped = [undefined, "build"].flatMap((step) => causes.map((cause) => stoppedVerdict(cause, step, 60_000).message));
  const fault = { code: "ENOSPC", words: "the disk of the worker is full", detail: "" };
  const faulty = [undefined, "build"].map((step) => stoppedVerdict({ why: "fault", fault }, step, 1).message);
  const codes = [1, 3, 126, 127, 137].map((exitCode) => stepVerdict("build", { exitCode } as never, 0, "1 GiB").message);
  expectGerman([...stopped, ...faulty, ...codes, stepVerdict("build", { exitCode: 137 } as never, 1, "1 GiB").message]);
});

test("no part of what a worker says about its executors is left in English", () => {
  const written = sourcesIn("executors/process/isolation", "executors/process/call-filter", "executors/machine", "executors/kubernetes")
    .join("\n")
    .matchAll(/\bdetail(?::| =)\s*(`[^`]*`|"[^"\n]*")/g);
  const isolation = [...written].map(([, literal]) => (literal as string).slice(1, -1).replaceAll(/\$\{[^{}]*\}/g, "7"));
  expect(isolation.length).toBeGreaterThan(10);
  const groups = { limitsMemory: true, limitsProcesses: true, sharesProcessors: true, kind: "cgroup v2" };
  const limits = [undefined, groups, { ...groups, limitsProcesses: false }].flatMap((each) =>
    [undefined, {}].map((identities) => describeLimits({ groups: each, level: {}, identities } as never)),
  );
  const seclusions = [true, false].map((has) => describeSeclusion({ hidesProcesses: has, hasOwnFolders: has }, ["/tmp"]));
  const facts = { kind: "docker", version: "27", cgroupVersion: 2, limits: { memory: true }, isRootless: true };
  const outbound = [{}, { problem: "x" }, { problem: "x", allowsHostNetwork: true }];
  const engines = outbound.map((each) => describeFacts({ facts, address: "/run/docker.sock", outbound: each } as never));
  const off = [
    "no container engine can be used: none was found. start Docker or Podman, or set MILLRACE_CONTAINER_HOST to its address; the worker looks for it every few seconds",
    "this worker accepts no tasks: the disk of /srv is full: 10 MiB free, needs 100 MiB. It checks again every few seconds",
  ];
  const all = [...isolation, ...limits, ...seclusions, ...engines, ...off];
  expect(all.map(workerDetailInGerman).filter((sentence) => english.test(wordsOf(sentence)))).toEqual([]);
});

test("what a check of a workflow finds is German, and each of these texts is one of the service", () => {
  const rules = [
    { deadline: "soon" },
    { requesterMayNotApprove: "perhaps" },
    { escalateTo: "leads" },
    { deadline: "10", escalateAfter: "20", escalateTo: "leads" },
  ].map((params) => readActionRules(new Map(Object.entries(params))));
  const found = [
    ...rules,
    readApproversWanted(new Map([["numberOfApprovers", "none"]])),
    instructionsFault(new Map([["instructions", "x".repeat(1_000_000)]])),
  ];
  expect(found.map((each) => typeof each)).toEqual(found.map(() => "string"));
  expect(found.map((each) => problemInGerman(String(each))).filter((each) => english.test(wordsOf(each)))).toEqual([]);
  // As they are written in the sources, up to their values; the source puts these together.
  const composed = ["the team has no team parameter", "there is no global parameter", "no worker can run it now: it needs the executor"];
  const counted = ["has one member, but", "members, but someone has to approve", "members, but"];
  const text = sourcesIn("core/workflow", "core/parameter", "core/action", "domain/workflow").join("\n").replaceAll("\\'", "'");
  const parts = problemFamilies
    .flatMap(([sentence]) => sentence.split(/\{\d\}|[();]/))
    .map((part) => part.replaceAll(/^[\s":]+|[\s":]+$/g, ""))
    .filter((part) => part.length > 8 && ![...composed, ...counted].includes(part));
  expect(parts.length).toBeGreaterThan(30);
  expect(parts.filter((part) => !text.includes(part))).toEqual([]);
});

test("sentences inside of sentences are German, values stay, and what is unknown stays as it is", () => {
  expect(reasonInGerman('Round 3 ended as failed: step "x" ended with exit code 3')).toBe(
    'Durchlauf 3 endete als fehlgeschlagen: Schritt "x" endete mit Code 3',
  );
  expect(reasonInGerman('Waiting for 3 approvals by approver group "leads", 1 so far; only 1 of its members can still vote')).toBe(
    'Wartet auf 3 Genehmigungen durch die Genehmigergruppe "leads", bisher 1; nur 1 ihrer Mitglieder können noch abstimmen',
  );
  expect(reasonInGerman('Lock "$& {1}" is held by run 7')).toBe('Die Sperre "$& {1}" hat der Lauf 7');
  expect(reasonInGerman("toString")).toBe("toString");
  const long = `Cancelled by ${"x".repeat(5_000)}`;
  expect(reasonInGerman(long)).toBe(long);
});

/** Sentences in a source, with `7` for each value. */
function textsIn(file: string): string[] {
  const source = readFileSync(join(server, file), "utf8").replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, "");
  const texts = [...source.matchAll(/`[^`\n]*`|"[^"\n]*"/g)].map(([text]) => text.slice(1, -1).replaceAll(/\$\{[^{}]*\}/g, "7"));
  // Those of a missed time are put together in the source; they are below.
  return texts.filter((text) => /^(?:7|[A-Z])[\w: ]* (?:\w+ ){2}/.test(text) && !/[{}]|^7 passed|until 7$/.test(text));
}

test("no sentence about the times of a schedule, a subscription or a delivery is left in English", () => {
  const files = ["domain/schedule/fire-schedule.ts", "engine/schedule-driver.ts", "engine/outbound/delivery-recorder.ts"];
  const texts = [...files, "channels/webhook-sender.ts"].flatMap(textsIn);
  expect(texts.length).toBeGreaterThan(9);
  const time = new Date("2026-10-25T01:30:00Z");
  const clock = { status: "active", createdAt: new Date(time.getTime() + 60_000), nextAt: time, now: new Date(0) } as const;
  const whole = [
    whyScheduleWaits({ ...clock, firedAhead: null }) ?? "",
    whyScheduleWaits({ ...clock, firedAhead: clock.createdAt }) ?? "",
    "A time passed while the service was down, and one run replaces them",
    "7 times until 2026-10-25T01:30:00.000Z passed while the service was down, they are older than the catch-up limit",
    "7 and more times until 2026-10-25T01:30:00.000Z passed while the service was down, and catchUpPolicy is none",
    "2 runs of this schedule are still open (overlapPolicy skip)",
    "Backfilled; it was the first of 7 that were missed",
  ];
  const english = (sentence: string) =>
    outcomeInGerman(sentence) === sentence || / (?:the|is|are|that|while) /.test(outcomeInGerman(sentence));
  expect([...texts, ...whole].filter(english)).toEqual([]);
  // What a program wrote stays as it is.
  expect(outcomeInGerman("connect ECONNREFUSED 127.0.0.1:9")).toBe("connect ECONNREFUSED 127.0.0.1:9");
});

test("what is wrong with a cron expression is said in German", () => {
  const long = "*".repeat(1_000);
  const wrong = ["", "1", "1 2 3", "61 * * * *", "* 25 * * *", "0 0 31 2 *", "*/0 * * * *", "*/ * * * *", "1/2/3 * * * *", "1-2-3 * * * *"];
  const more = ["* * * 5-2-1 *", "x * * * *", "* * L-99 * *", "* * W * *", "* * * * FRI#9", "0 0 0 1 1 1", "* * L* * *", "* * * L *"];
  const rest = ["@reboot", "@every 5m", "@often", "@daily 1", "TZ=UTC 1 * * * *", "* ? * * *", ", * * * *", "0 0 0 31 2 ? 2031", long];
  const faults = [...wrong, ...more, ...rest].flatMap((text) => {
    const parsed = parseCron(text);
    return "fault" in parsed ? `${parsed.fault.message} (at character ${parsed.fault.position + 1})` : [];
  });
  expect(faults.length).toBeGreaterThan(22);
  const left = / (?:the|is|are|has|can|such|of|day|field|at character) /;
  expect(faults.map(outcomeInGerman).filter((german) => left.test(german) || !/\(Zeichen \d+\)$/.test(german))).toEqual([]);
  expect(outcomeInGerman("minute 61 is out of range; it can be 0 to 59 (at character 1)")).toBe(
    "Minute 61 liegt außerhalb des Bereichs; erlaubt ist 0 bis 59 (Zeichen 1)",
  );
});
