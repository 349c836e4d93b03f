import { describe, expect, test } from "vitest";
import type { Condition } from "../triggers/trigger-draft.ts";
import { codehostPayload, fitted, type SampleTarget, sampleTargetFor } from "./codehost-sample.ts";

const is = (field: string, value: string): Condition => ({ field, operation: "equals", value });
const anyOf = (field: string, ...values: string[]): Condition => ({ field, operation: "in", values });
const target: SampleTarget = { event: "push", action: "", repository: "org/shop", refKind: "branch", ref: "main" };

test.each<[string, Condition[], Partial<SampleTarget>]>([
  ["nothing asked", [], target],
  ["an event with actions", [anyOf("events", "pull_request")], { event: "pull_request", action: "opened" }],
  ["an action", [is("events", "pull_request"), anyOf("actions", "closed", "opened")], { action: "closed" }],
  ["a repository by its short name", [is("repositories", "docs")], { repository: "org/docs" }],
  ["a repository with its owner", [is("repositories", "other/docs")], { repository: "other/docs" }],
  ["a branch", [is("branches", "release")], { refKind: "branch", ref: "release" }],
  ["a tag", [is("tags", "v2")], { refKind: "tag", ref: "v2" }],
  ["a release has tags", [is("events", "release")], { refKind: "tag", ref: "v1.0.0" }],
  ["a pattern says no text", [{ field: "branches", operation: "matches", value: "r.*" }], { ref: "main" }],
])("a sample for %s", (_, conditions, expected) => expect(sampleTargetFor(conditions, "org/shop")).toMatchObject(expected));

test.each<[Partial<SampleTarget>, Partial<SampleTarget>]>([
  [{ event: "release" }, { action: "published", refKind: "tag" }],
  [{ event: "push", action: "opened" }, { action: "" }],
  [
    { event: "pull_request", action: "closed", refKind: "tag" },
    { action: "closed", refKind: "branch" },
  ],
  [{ event: "something" }, { action: "", refKind: "branch" }],
])("%j becomes %j", (part, expected) => expect(fitted({ ...target, ...part })).toMatchObject(expected));

describe("the payload", () => {
  test.each<[Partial<SampleTarget>, object]>([
    [{}, { ref: "refs/heads/main" }],
    [{ refKind: "tag", ref: "v1" }, { ref: "refs/tags/v1" }],
    [
      { event: "pull_request", action: "opened" },
      { action: "opened", pull_request: { base: { ref: "main" } } },
    ],
    [
      { event: "create", refKind: "tag", ref: "v1" },
      { ref: "v1", ref_type: "tag" },
    ],
    [{ event: "release", ref: "v1" }, { release: { tag_name: "v1" } }],
    [{ event: "workflow_run" }, { workflow_run: { head_branch: "main" } }],
  ])("of %j", (part, expected) => {
    const payload = codehostPayload({ ...target, ...part }, 42);
    expect(payload).toMatchObject({ ...expected, repository: { name: "shop", full_name: "org/shop" }, installation: { id: 42 } });
  });
});
