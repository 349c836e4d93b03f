import { expect } from "vitest";
import type { JobStep } from "../../core/task/tekton/job-steps.ts";
import type { JobMount, JobVolume } from "../../core/task/tekton/volumes/volume-mounts.ts";
import { type Bench, type Finished, makeJob, run, type Scenario, startUntil } from "./scenario.ts";

const scratch = (name: string, more: JobVolume["scratch"] = { inMemory: false }): JobVolume => ({ name, scratch: more });
const files = (name: string, texts: Record<string, string>, mode = 0o644): JobVolume => ({
  name,
  files: Object.entries(texts).map(([path, text]) => ({ path, text, mode })),
});
const at = (path: string, volume: string, more: Partial<JobMount> = {}): JobMount => ({ volume, path, readOnly: false, ...more });

function runWith(bench: Bench, volumes: JobVolume[], steps: Partial<JobStep>[], secrets: string[] = []): Promise<Finished> {
  return run(bench, makeJob(steps, { volumes, secrets }));
}

/** What steps of one task share and get in addition to their workspaces. */
export const volumeScenarios: Scenario[] = [
  {
    name: "the steps of a task share a scratch volume, which is empty when it begins",
    needs: "files",
    async check(bench) {
      const volumes = [scratch("cache"), scratch("memory", { inMemory: true })];
      const mounts = [at("/workspace/cache", "cache"), at("/volume/in memory", "memory")];
      const steps = [
        {
          mounts,
          script: "ls -A /workspace/cache '/volume/in memory'; echo one > /workspace/cache/file; echo two > '/volume/in memory/file'",
        },
        {
          mounts: [at("/elsewhere", "cache")],
          script: "cat /elsewhere/file; test ! -e /workspace/cache/file; echo three >> /elsewhere/file",
        },
        { mounts, script: "cat /workspace/cache/file '/volume/in memory/file'" },
      ];
      for (let attempt = 0; attempt < 2; attempt++) {
        const { outcome, texts } = await runWith(bench, volumes, steps);
        expect([outcome.message, texts()]).toEqual(["", ["/volume/in memory:", "", "/workspace/cache:", "one", "one", "three", "two"]]);
      }
    },
  },
  {
    name: "a volume may be read-only for one step, and parts of it may be mounted apart",
    needs: "files",
    async check(bench) {
      const { outcome, texts } = await runWith(
        bench,
        [scratch("parts")],
        [
          {
            mounts: [at("/one", "parts", { subPath: "a/b" }), at("/two", "parts", { subPath: "c" })],
            script: "echo one > /one/file; ls /two",
          },
          { mounts: [at("/one", "parts", { subPath: "a/b", readOnly: true })], script: "cat /one/file; echo new > /one/file" },
        ],
      );
      expect(outcome.status).toBe("failed");
      expect(texts()).toEqual(["one", expect.stringMatching(/read-only/i)]);
    },
  },
  {
    name: "volumes at and below the home are there by all of its names, and steps without one have a folder",
    needs: "files",
    async check(bench) {
      const volumes = [scratch("cache"), files("keys", { config: "the config\n" })];
      const mounts = [at("/task/home/.cache", "cache"), at("/task/home/.config/tool", "keys")];
      const steps = [
        { mounts, script: 'cat /tekton/home/.config/tool/config; echo cached > "$HOME/.cache/file"; echo own > "$HOME/.config/own"' },
        {
          script:
            'mkdir -p "$HOME/.cache" && cd "$HOME/.cache" && ls -A; cat /tekton/home/.config/own; ls -A "$HOME/.config/tool/"; : > other',
        },
        { mounts, script: 'cat /tekton/home/.cache/file; ls -A "$HOME/.cache/"' },
      ];
      const { outcome, texts } = await runWith(bench, volumes, steps);
      expect([outcome.message, texts()]).toEqual(["", ["the config", "own", "cached", "file"]]);
      const whole = [scratch("home")];
      const inHome = { mounts: [at("/task/home", "home")] };
      const second = await runWith(bench, whole, [
        { ...inHome, script: 'echo one > "$HOME/file"' },
        { script: 'test ! -e "$HOME/file"; echo other > "$HOME/other"' },
        { ...inHome, script: "cat /tekton/home/file; ls -A $HOME/" },
      ]);
      expect([second.outcome.message, second.texts()]).toEqual(["", ["one", "file"]]);
    },
  },
  {
    name: "a link that a step puts in a volume or in the place of a mount leads no later mount elsewhere",
    needs: "files",
    async check(bench) {
      const volumes = [scratch("open"), files("keys", { key: "text" }), scratch("parts")];
      const mounts = [at("/open", "open"), at("/task/home/.keys", "keys"), at("/part", "parts", { subPath: "a" })];
      const hostile =
        "rm -rf $HOME/.keys || true; ln -s /etc $HOME/.keys || true; rm -rf /open || true; ln -s /etc /open/link; rmdir /part || true; ln -s / /part/a";
      const later = "test -w /open && ls -A /open && test ! -e /open/passwd && ls -A /part && test ! -L /part";
      const { outcome, texts } = await runWith(bench, volumes, [
        { mounts, script: hostile },
        { mounts, script: later },
      ]);
      expect([outcome.message, texts().slice(-2)]).toEqual(["", ["link", "a"]]);
    },
  },
  {
    name: "files of a volume have their paths, texts and modes, are read-only, and are masked in the log",
    needs: "files",
    async check(bench) {
      const volume: JobVolume = {
        name: "keys",
        files: [
          { path: "token", text: "hunter22-of-the-team", mode: 0o644 },
          { path: "ssh/id", text: 'odd \' $(x) "text"\n\n', mode: 0o400 },
          { path: "__proto__", text: "", mode: 0o644 },
          { path: "run.sh", text: "#!/bin/sh\necho ran\n", mode: 0o755 },
        ],
      };
      const script = `
        cat /etc-of-task/token; echo
        cat /etc-of-task/ssh/id | wc -c
        stat -L -c %a /etc-of-task/token /etc-of-task/ssh/id /etc-of-task/run.sh
        ls /etc-of-task
        sh /etc-of-task/run.sh
        cat /single/name.txt | wc -c
        (echo new > /etc-of-task/token) 2>&1 | grep -ci 'read-only\\|denied'
        (: > /etc-of-task/more) 2>&1 | grep -ci 'read-only\\|denied'
        cat /etc-of-task/token | wc -c`;
      const mounts = [at("/etc-of-task", "keys"), at("/single/name.txt", "keys", { subPath: "token" })];
      const { outcome, texts } = await runWith(
        bench,
        [volume],
        [{ mounts, script }, { script: "test ! -e /etc-of-task && test ! -e /single" }],
        ["hunter22-of-the-team"],
      );
      const [token, size, open, closed, executable, ...rest] = texts();
      expect(outcome.message).toBe("");
      expect([token, size, open, executable]).toEqual(["***", "19", "644", "755"]);
      // A node makes the files readable for the group through which the pod's user gets access.
      expect(["400", "440"]).toContain(closed);
      expect(rest).toEqual(["__proto__", "run.sh", "ssh", "token", "ran", "20", "1", "1", "20"]);
    },
  },
  {
    name: "a thousand files are there, and a part that a volume does not have is named",
    once: true,
    needs: "files",
    async check(bench) {
      const many = files("many", Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`key-${index}`, `${index}`])));
      const { outcome, texts } = await runWith(
        bench,
        [many],
        [{ mounts: [at("/many", "many")], script: "ls /many | wc -l; cat /many/key-999" }],
      );
      expect([outcome.message, texts()]).toEqual(["", ["1000", "999"]]);
      const missing = await runWith(bench, [many], [{ mounts: [at("/many", "many", { subPath: "nothing" })], script: "true" }]);
      expect(missing.outcome).toMatchObject({ status: "invalid", reason: "InvalidTask" });
      expect(missing.outcome.message).toContain("the volume many has no nothing");
    },
  },
  {
    name: "a step that writes more to a volume than its size is stopped, and the volume is named",
    needs: "scratchSizes",
    async check(bench, skip) {
      if (!bench.promises.files) skip("nothing can be mounted at this level");
      const small = scratch("small", { inMemory: false, sizeLimitBytes: 2_000_000 });
      // Few enough bytes that the agent of a node does not end the pod first.
      const fill = (bytes: number) => `head -c ${bytes} /dev/zero > /volume/file; sleep 60`;
      const mounts = [at("/volume", "small")];
      const { outcome } = await runWith(bench, [small], [{ mounts, script: fill(2_300_000) }]);
      expect(outcome).toMatchObject({ status: "failed", reason: "WorkspaceFull" });
      expect(outcome.message).toContain('volume "small" contains');
      const open = await runWith(bench, [scratch("small")], [{ mounts, script: fill(34_000_000) }]);
      expect(open.outcome).toMatchObject({ status: "failed", reason: "WorkspaceFull" });
      expect(open.outcome.message).toContain("its scratch folder contains");
    },
  },
  {
    name: "a volume is gone after its task, also when the task is stopped",
    needs: "files",
    async check(bench) {
      const mounts = [at("/cache", "cache"), at("/keys", "keys")];
      const job = makeJob([{ mounts, script: "mkdir -m 0 /cache/closed; echo ready; sleep 60" }], {
        volumes: [scratch("cache"), files("keys", { key: "text" }, 0)],
      });
      const { handle, finished } = await startUntil(bench, job, "ready");
      handle.stop("cancelled", 0);
      expect((await finished).outcome.status).toBe("cancelled");
      expect(await bench.leftovers()).toEqual([]);
    },
  },
  {
    name: "a volume may not cover what belongs to the sandbox, or a workspace",
    needs: "files",
    async check(bench) {
      const job = makeJob([{ mounts: [at("/workspace/w/inner", "cache")], script: "true" }], {
        volumes: [scratch("cache")],
        workspaces: [
          {
            name: "w",
            scope: "workflow",
            ownerId: "w",
            source: `${bench.workspacesDir}/team/w`,
            mountPath: "/workspace/w",
            readOnly: false,
            sizeLimitBytes: 1_000_000,
          },
        ],
      });
      const { outcome } = await run(bench, job);
      expect(outcome).toMatchObject({ status: "invalid", reason: "InvalidTask", message: expect.stringContaining("/workspace/w/inner") });
    },
  },
  {
    name: "a level that can mount nothing refuses a task with volumes, and says what would",
    async check(bench, skip) {
      if (bench.promises.files) skip("it can mount volumes");
      const { outcome } = await runWith(bench, [scratch("cache")], [{ mounts: [at("/cache", "cache")], script: "true" }]);
      expect(outcome).toMatchObject({
        status: "failed",
        reason: "SandboxUnavailable",
        message: expect.stringContaining("install bubblewrap"),
      });
    },
  },
];
