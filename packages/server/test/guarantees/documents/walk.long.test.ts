import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { repositoryRoot } from "../../../src/base/file/repository-root.ts";
import { canWalk, startWalkService, type WalkService } from "../../kit/documents/walk-service.ts";

/**
 * The first minutes of a new user: the service starts on an empty folder, shows the sample run, and every marked block of the documents
 * does what the document says: first the two walks, then the pages that build on them, in any order. The blocks are turned into a script by
 * the same program that CI uses. Blocks that need an engine or a cluster are run where there is one, by walk-containers.long.test.ts and
 * walk.cluster.test.ts.
 */
const pages = ["docs", "docs/guides", "docs/tasks"].flatMap((folder) =>
  readdirSync(join(repositoryRoot, folder), { encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => ({ page: `${folder}/${name}`, text: readFileSync(join(repositoryRoot, folder, name), "utf8") })),
);
const walks = ["README.md", "docs/getting-started.md"];
const furtherPages = pages.filter(({ page, text }) => /^<!-- walk(:| -->)/m.test(text) && !walks.includes(page)).map(({ page }) => page);

let service: WalkService;
beforeAll(async () => {
  // In a block of docs/events.md a task calls the service itself, and in one of docs/guides/webhooks.md a webhook calls a local receiver.
  service = await startWalkService({ MILLRACE_TASK_OUTBOUND_ALLOW: "127.0.0.1", MILLRACE_OUTBOUND_ALLOW: "127.0.0.1" });
}, 300_000);
afterAll(() => service.stop(), 60_000);

test("the first start runs a sample to its end and says so before it is ready", () => {
  expect(service.address, service.said.join("\n")).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(service.said.join("\n")).toMatch(/hello-chain[\s\S]*succeeded/);
});

/** CI follows the pages in the order of the files (.ci/clean-clone): a page that depends on another page fails in one of the two orders. */
const inOtherOrder = furtherPages.toReversed();

describe.runIf(canWalk)("every marked block works as written, and uses no name of another page", () => {
  test.each([...walks, ...inOtherOrder])("in %s", { timeout: 180_000 }, async (document) => {
    await service.walk(document);
    expect(await namesTaken(document)).toEqual([]);
  });
});

interface AuditRecord {
  team?: { name: string };
  object: { kind: string; name: string };
  before: unknown;
}

/** Things whose names must be unique: which page has created each one, by team, kind and name. */
const namedKinds = ["workflow", "workflowtemplate", "task", "schedule", "subscription", "parameter", "team"];
const creators = new Map<string, string>();
let recordsRead = 0;

/**
 * Things that this page created or changed although another page had created them: readers follow the pages on one instance, in any order.
 */
async function namesTaken(page: string): Promise<string[]> {
  const { content } = await service.api<{ content: AuditRecord[] }>("GET", "/audit/query?limit=1000&page=0&order=ASC");
  expect(content.length).toBeLessThan(1000);
  const written = content.slice(recordsRead).filter(({ object }) => namedKinds.includes(object.kind));
  recordsRead = content.length;
  const taken = written.flatMap(({ team, object, before }) => {
    const name = `${team?.name ?? "instance"}: ${object.kind} ${object.name}`;
    const creator = creators.get(name);
    if (before === null) creators.set(name, page);
    return creator === undefined || creator === page || walks.includes(creator) ? [] : [`${name}, of ${creator}`];
  });
  return [...new Set(taken)];
}
