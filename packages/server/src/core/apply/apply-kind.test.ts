import { describe, expect, test } from "vitest";
import { type ApplyScope, type DocumentHead, decideKind } from "./apply-kind.ts";

const own = "millrace.dev/v1";
const decide = (head: Partial<DocumentHead>, scope: ApplyScope = "team") => decideKind({ members: [], ...head }, scope);

describe("what a document is", () => {
  test.each<[string, Partial<DocumentHead>, ApplyScope, object]>([
    ["its kind says it", { kind: "Workflow" }, "team", { kind: "Workflow", isTekton: false }],
    ["and its version whose it is", { apiVersion: own, kind: "Task" }, "team", { kind: "Task", isTekton: false }],
    ["a task of Tekton", { apiVersion: "tekton.dev/v1beta1", kind: "Task" }, "instance", { kind: "Task", isTekton: true }],
    ["a task without a version, by its form", { kind: "Task", members: ["metadata", "spec"] }, "team", { kind: "Task", isTekton: true }],
    ["a task without a version, by its form", { kind: "Task", members: ["name", "spec"] }, "team", { kind: "Task", isTekton: false }],
    ["a pipeline is Tekton's", { kind: "Pipeline" }, "team", { kind: "Pipeline", isTekton: true }],
    ["a workflow as it is exported", { members: ["name", "tasks"] }, "team", { kind: "Workflow", isTekton: false }],
    ["with its version, too", { apiVersion: own, members: ["tasks"] }, "team", { kind: "Workflow", isTekton: false }],
    ["a parameter of the instance", { kind: "Parameter" }, "instance", { kind: "Parameter", isTekton: false }],
  ])("%s", (_what, head, scope, expected) => {
    expect(decide(head, scope)).toEqual(expected);
  });

  test.each<[string, Partial<DocumentHead>, ApplyScope, string, RegExp]>([
    ["nothing says it", { members: ["name"] }, "team", "/kind", /^is missing; it must be one of Parameter, StepAction, Task, Workflow, /],
    ["the tasks of a template say nothing", { members: ["tasks"] }, "instance", "/kind", /^is missing; .* Team, .*WorkflowTemplate/],
    [
      "the kind is unknown",
      { kind: "Deployment", apiVersion: "apps/v1" },
      "team",
      "/kind",
      /^is "Deployment" \(apiVersion apps\/v1\); it must be/,
    ],
    ["the kind is no text", { kind: 1 }, "team", "/kind", /^is 1; it must be/],
    ["a template is the instance's", { kind: "WorkflowTemplate" }, "team", "/kind", /belongs to the instance; apply it without a team/],
    ["a workflow is a team's", { kind: "Workflow" }, "instance", "/kind", /belongs to a team; apply it to one/],
    [
      "the version is another product's",
      { kind: "Workflow", apiVersion: "argoproj.io/v1alpha1" },
      "team",
      "/apiVersion",
      /must be millrace.dev\/v1$/,
    ],
    ["Tekton has no schedules", { kind: "Schedule", apiVersion: "tekton.dev/v1" }, "team", "/apiVersion", /must be millrace.dev\/v1$/],
    ["a pipeline is not ours", { kind: "Pipeline", apiVersion: own }, "team", "/apiVersion", /must be tekton.dev\/v1$/],
    [
      "its name is where one of Kubernetes has it",
      { kind: "Workflow", members: ["metadata", "spec"] },
      "team",
      "/metadata",
      /^has no name here: the members of a Workflow are at the top/,
    ],
    [
      "a later version is unknown",
      { kind: "Task", apiVersion: "millrace.dev/v2" },
      "team",
      "/apiVersion",
      /millrace.dev\/v1 or tekton.dev\/v1$/,
    ],
  ])("can't be said where %s", (_why, head, scope, path, message) => {
    expect(decide(head, scope)).toEqual({ path, message: expect.stringMatching(message) });
  });
});
