import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { eventHead, eventOrigin, installationRef } from "./codehost-payload.ts";
import { codehostWords } from "./codehost-words.ts";

const commit = "ec26c3e57ca3a959ca5aad62de7213c562f8c821";

describe("the words of an event", () => {
  test.each<[string, Record<string, unknown>, { branches?: string[]; tags?: string[]; actions?: string[] }]>([
    ["push", { ref: "refs/heads/feature/one" }, { branches: ["feature/one"] }],
    ["push", { ref: "refs/tags/v1.0" }, { tags: ["v1.0"] }],
    ["push", { ref: "refs/notes/x" }, {}],
    ["create", { ref: "main", ref_type: "branch" }, { branches: ["main"] }],
    ["create", { ref: "v1", ref_type: "tag" }, { tags: ["v1"] }],
    ["create", { ref: null, ref_type: "repository" }, {}],
    ["delete", { ref: "old", ref_type: "branch" }, { branches: ["old"] }],
    [
      "pull_request",
      { action: "opened", pull_request: { base: { ref: "main" }, head: { ref: "topic" } } },
      { branches: ["main"], actions: ["opened"] },
    ],
    [
      "pull_request_review",
      { action: "submitted", pull_request: { base: { ref: "main" } } },
      { branches: ["main"], actions: ["submitted"] },
    ],
    [
      "check_run",
      { action: "completed", check_run: { check_suite: { head_branch: "changes" } } },
      { branches: ["changes"], actions: ["completed"] },
    ],
    ["check_suite", { check_suite: { head_branch: "changes" } }, { branches: ["changes"] }],
    ["workflow_run", { action: "requested", workflow_run: { head_branch: "main" } }, { branches: ["main"], actions: ["requested"] }],
    ["workflow_job", { workflow_job: { head_branch: "main" } }, { branches: ["main"] }],
    ["release", { release: { tag_name: "0.0.1", target_commitish: "main" } }, { branches: ["main"], tags: ["0.0.1"] }],
    ["release", { release: { tag_name: "0.0.1", target_commitish: commit } }, { tags: ["0.0.1"] }],
    ["status", { branches: [{ name: "main" }, { name: "next" }] }, { branches: ["main", "next"] }],
    ["deployment", { deployment: { ref: "main" } }, { branches: ["main"] }],
    ["issue_comment", { action: "created", issue: {} }, { actions: ["created"] }],
  ])("%s %j", (event, payload, expected) => {
    expect(codehostWords(event, payload)).toEqual({
      events: [event],
      actions: [],
      repositories: [],
      branches: [],
      tags: [],
      ...expected,
    });
  });

  test("repositories are all that the event names, short and with their owner", () => {
    const payload = { repository: { name: "shop", full_name: "org/shop" }, repositories_added: [{ name: "docs" }, 5] };
    expect(codehostWords("x", payload).repositories).toEqual(["shop", "org/shop", "docs"]);
  });

  test("are texts, whatever arrives", () => {
    const nested = fc.dictionary(
      fc.constantFrom("ref", "base", "head_branch", "check_suite", "tag_name", "target_commitish", "name", "id"),
      fc.anything(),
    );
    const members = fc.constantFrom(
      "ref",
      "ref_type",
      "action",
      "pull_request",
      "release",
      "check_run",
      "branches",
      "deployment",
      "repository",
    );
    fc.assert(
      fc.property(fc.string(), fc.dictionary(members, fc.oneof(fc.anything(), nested)), (event, payload) => {
        const words = Object.values(codehostWords(event, payload)).flat();
        expect(words.every((word) => typeof word === "string")).toBe(true);
      }),
    );
  });
});

test("an installation is known by a whole positive number", () => {
  expect(installationRef({ installation: { id: 5 } })).toBe("5");
  for (const id of ["5", 0, -1, 1.5, null, 2 ** 60]) expect(installationRef({ installation: { id } })).toBeUndefined();
});

describe("the commit of an event", () => {
  const repository = { full_name: "org/shop" };
  test.each<[string, Record<string, unknown>]>([
    ["push", { after: commit }],
    ["pull_request", { pull_request: { head: { sha: commit } } }],
    ["workflow_run", { workflow_run: { head_sha: commit } }],
    ["workflow_job", { workflow_job: { head_sha: commit } }],
    ["deployment", { deployment: { sha: commit } }],
  ])("of a %s is known", (event, payload) => {
    expect(eventHead(event, { repository, ...payload })).toEqual({ owner: "org", repository: "shop", sha: commit });
  });

  test.each<[string, Record<string, unknown>]>([
    ["push", { after: "0".repeat(40) }],
    ["push", { after: "main" }],
    ["push", { after: commit, repository: { full_name: "../shop" } }],
    ["push", { after: commit, repository: { full_name: "org/.." } }],
    ["push", { after: commit, repository: null }],
    ["check_run", { after: commit }],
    ["issue_comment", {}],
  ])("of a %s like this is not (%#)", (event, payload) => {
    expect(eventHead(event, { repository, ...payload })).toBeUndefined();
  });
});

test("a run's origin is the installation and the repository of its payload, if there are any", () => {
  expect(eventOrigin({ installation: { id: 5 }, repository: { id: 7 } })).toEqual({ installationRef: "5", repositoryId: 7 });
  expect(eventOrigin({ installation: { id: 5 } })).toEqual({ installationRef: "5", repositoryId: undefined });
  for (const payload of [undefined, null, "x", {}, { installation: 5 }]) expect(eventOrigin(payload)).toBeUndefined();
});
