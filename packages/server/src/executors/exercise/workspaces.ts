import { join } from "node:path";
import { expect } from "vitest";
import type { JobWorkspace } from "../../engine/executor.ts";
import { type Bench, makeJob, run, type Scenario } from "./scenario.ts";

export function workspace(bench: Bench, name: string, more: Partial<JobWorkspace> = {}): JobWorkspace {
  const folder = join(bench.workspacesDir, "team", name);
  return {
    name,
    scope: "workflow",
    ownerId: name,
    source: folder,
    mountPath: `/workspace/${name}`,
    readOnly: false,
    sizeLimitBytes: 20_000_000,
    ...more,
  };
}

function placeOf(bench: Bench, used: JobWorkspace): string {
  return bench.executor.place(makeJob("true", { workspaces: [used] }), ["workspaces", used.name, "path"]) ?? "?";
}

/** Folders that tasks share. */
export const workspaceScenarios: Scenario[] = [
  {
    name: "a workspace keeps its files from task to task, and each may change what the other left",
    async check(bench) {
      const shared = workspace(bench, "shared");
      const path = placeOf(bench, shared);
      const first = makeJob(`cd '${path}'; mkdir -p -m 700 folder; echo one > folder/file; chmod 600 folder/file; ln -s file folder/link`, {
        workspaces: [shared],
      });
      const second = makeJob(`cd '${path}'; cat folder/link; echo two > folder/file; mv folder moved; rm moved/link`, {
        workspaces: [shared],
        runId: "run-2",
      });
      const third = makeJob(`cat '${path}/moved/file'`, { workspaces: [shared] });
      expect((await run(bench, first)).outcome.message).toBe("");
      const { outcome, texts } = await run(bench, second);
      expect([outcome.message, texts()]).toEqual(["", ["one"]]);
      expect((await run(bench, third)).texts()).toEqual(["two"]);
    },
  },
  {
    name: "a task that takes away the permissions of a workspace does not keep those after it from it",
    needs: "ownMounts",
    async check(bench) {
      const closed = workspace(bench, "closed");
      await run(bench, makeJob("echo kept > /workspace/closed/file; chmod 0 /workspace/closed", { workspaces: [closed] }));
      // If it runs as another user than the service, it can make it accessible again, being its owner.
      const { outcome, texts } = await run(
        bench,
        makeJob("chmod u+rwx /workspace/closed; cat /workspace/closed/file", { workspaces: [closed] }),
      );
      expect([outcome.message, texts()]).toEqual(["", ["kept"]]);
    },
  },
  {
    name: "a workspace has a place of its own in deep and odd paths",
    needs: "files",
    async check(bench) {
      const odd = workspace(bench, "odd ,'\" ü", { mountPath: "/home/some one/.m2" });
      const { outcome } = await run(
        bench,
        makeJob("test -w '/home/some one/.m2'; test \"$(ls /home)\" = 'some one'", { workspaces: [odd] }),
      );
      expect(outcome.message).toBe("");
    },
  },
  {
    name: "a workspace may be read-only",
    needs: "files",
    async check(bench) {
      const writable = workspace(bench, "fixed");
      await run(bench, makeJob("echo kept > /workspace/fixed/file", { workspaces: [writable] }));
      const { outcome, texts } = await run(
        bench,
        makeJob("cat /workspace/fixed/file; echo new > /workspace/fixed/file", { workspaces: [{ ...writable, readOnly: true }] }),
      );
      expect(outcome.status).toBe("failed");
      expect(texts()).toEqual(["kept", expect.stringMatching(/read-only/i)]);
    },
  },
  {
    name: "a workspace may not cover what belongs to the sandbox",
    needs: "files",
    async check(bench) {
      for (const mountPath of ["/usr", "/", "relative", "/proc/x", "/a/../etc", "/task"]) {
        const { outcome } = await run(bench, makeJob("true", { workspaces: [workspace(bench, "bad", { mountPath })] }));
        expect(outcome, mountPath).toMatchObject({ status: "invalid", reason: "InvalidTask" });
      }
    },
  },
  {
    name: "a task with more workspaces than a worker has open files for is refused",
    once: true,
    async check(bench) {
      const workspaces = Array.from({ length: 33 }, (_, index) => workspace(bench, `w${index}`, { mountPath: `/workspace/w${index}` }));
      const { outcome } = await run(bench, makeJob("true", { workspaces }));
      expect(outcome).toMatchObject({ status: "invalid", reason: "InvalidTask", message: "the task has 33 workspaces; it can have 32" });
    },
  },
  {
    name: "a task can't fill a workspace that is read-only for it, either",
    needs: "workspaceSizes",
    async check(bench) {
      const small = workspace(bench, "kept", { sizeLimitBytes: 2_000_000, readOnly: true });
      const path = placeOf(bench, small);
      const { outcome } = await run(bench, makeJob(`head -c 3000000 /dev/zero > '${path}/a' && sleep 60`, { workspaces: [small] }));
      expect(outcome.status).toBe("failed");
    },
  },
  {
    name: "a task that fills a workspace is stopped, and one that clears it up is not",
    needs: "workspaceSizes",
    async check(bench) {
      const small = workspace(bench, "small", { sizeLimitBytes: 2_000_000 });
      const path = placeOf(bench, small);
      const quick = await run(bench, makeJob(`head -c 3000000 /dev/zero > '${path}/a'`, { workspaces: [small] }));
      expect(quick.outcome).toMatchObject({ status: "failed", reason: "WorkspaceFull" });
      // The size that is measured while it writes is smaller.
      expect(quick.outcome.message).toMatch(/workspace "small" contains 2\.\d+ MiB, more than the 1\.91 MiB allowed/);
      const endless = await run(
        bench,
        makeJob(`while :; do head -c 1000000 /dev/zero >> '${path}/b'; sleep 0.05; done`, { workspaces: [small] }),
      );
      expect(endless.outcome).toMatchObject({ status: "failed", reason: "WorkspaceFull" });
      expect(endless.outcome.message).toContain('step "step-1" was stopped');
      const idle = await run(bench, makeJob("true", { workspaces: [small] }));
      expect(idle.outcome).toMatchObject({ status: "succeeded", message: "" });
      const clearing = await run(bench, makeJob(`rm '${path}/a' '${path}/b'`, { workspaces: [small] }));
      expect(clearing.outcome).toMatchObject({ status: "succeeded", message: "" });
    },
  },
  {
    name: "what a task writes far beyond the limit of a workspace goes when it ends, and what was there before stays",
    needs: "workspaceSizes",
    async check(bench, skip) {
      const small = workspace(bench, "burst", { sizeLimitBytes: 2_000_000 });
      const path = placeOf(bench, small);
      await run(bench, makeJob(`echo kept > '${path}/old'`, { workspaces: [small] }));
      for (const _ of [1, 2]) {
        // Written at once, whatever the load: a slower step would be stopped before it has written so much.
        const { outcome } = await run(bench, makeJob(`fallocate -l 90000000 '${path}/burst'`, { workspaces: [small] }));
        if (outcome.exitCode === 127) return skip("there is no program fallocate");
        expect(outcome).toMatchObject({ status: "failed", reason: "WorkspaceFull" });
        expect(outcome.message).toContain('workspace "burst" was far beyond its limit, so 1 file that this task wrote there was removed');
      }
      const { texts } = await run(bench, makeJob(`ls '${path}'`, { workspaces: [small] }));
      expect(texts()).toEqual(["old"]);
    },
  },
];
