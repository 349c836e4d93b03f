import { describe, expect, test } from "vitest";
import { settingPath, toInstanceSettings } from "../core/settings/instance-settings.ts";
import type { PlanNode } from "../core/workflow/plan.ts";
import type { JobRun } from "../store/run/job-inputs.ts";
import { jobWorkspaces, missingWorkspace } from "./job-workspaces.ts";

const run = (workspaces: JobRun["workspaces"]) => ({ teamId: "team", id: "run", workflowId: "workflow", workspaces }) as JobRun;
const shipped = toInstanceSettings(new Map(), 0);
const node = (workspaces: PlanNode["workspaces"], declared: unknown[] = []) =>
  ({ workspaces, task: { name: "build", spec: { workspaces: declared } } }) as unknown as PlanNode;
const both = [
  { name: "workflow", type: "workflow" },
  { name: "workflowrun", type: "workflowrun", spec: { size: "1" } },
];
const places = (made: ReturnType<typeof jobWorkspaces>) => made.map(({ name, source, mountPath }) => [name, source, mountPath]);

describe("the workspaces of a job", () => {
  test("are those of the workflow at their usual places, kept by workflow and by run", () => {
    expect(places(jobWorkspaces("/data", run(both), node([]), shipped))).toEqual([
      ["workflow", "/data/team/workflow/workflow", "/workspace/workflow"],
      ["workflowrun", "/data/team/workflowrun/run", "/workspace/workflowrun"],
    ]);
  });

  test("take the names and places that the node and its task give them, several for one storage too", () => {
    const bound = node(
      [
        { name: "source", type: "workflowrun" },
        { name: "cache", type: "workflowrun", mountPath: "/cache" },
      ],
      [{ name: "source", mountPath: "/src" }],
    );
    expect(places(jobWorkspaces("/data", run([both[1] as (typeof both)[1]]), bound, shipped))).toEqual([
      ["source", "/data/team/workflowrun/run", "/src"],
      ["cache", "/data/team/workflowrun/run", "/cache"],
    ]);
  });

  test("are as large as the run was given when it was submitted, else as the setting says", () => {
    const gi = 2 ** 30;
    const sizeOf = (size?: string, settings = shipped) =>
      jobWorkspaces("/data", run([{ name: "workflow", type: "workflow", spec: { ...(size && { size }) } }]), node([]), settings)[0]
        ?.sizeLimitBytes;
    expect([sizeOf("512Mi"), sizeOf("1"), sizeOf("500Gi"), sizeOf()]).toEqual([gi / 2, gi, 500 * gi, gi]);
    const changed = toInstanceSettings(new Map([[settingPath("workflow", "storage.size"), "1536Mi"]]), 0);
    expect(sizeOf(undefined, changed)).toBe(1.5 * gi);
  });
});

test("a required workspace that is not bound is named, an optional one is not", () => {
  const wanting = node([], [{ name: "output" }, { name: "ssh", optional: true }]);
  expect(missingWorkspace(wanting, [])).toContain('needs the workspace "output"');
  expect(
    missingWorkspace(wanting, jobWorkspaces("/data", run(both), node([{ name: "output", type: "workflow" }]), shipped)),
  ).toBeUndefined();
});
