import { expect } from "vitest";
import type { JobSidecar } from "../../core/task/tekton/sidecars/job-sidecars.ts";
import type { ReadinessProbe } from "../../core/task/tekton/sidecars/readiness-probe.ts";
import type { Job } from "../../engine/executor.ts";
import { type Finished, makeJob, run, type Scenario, startUntil } from "./scenario.ts";

const probe = (action: ReadinessProbe["action"], more: Partial<ReadinessProbe> = {}): ReadinessProbe => ({
  action,
  initialDelayMs: 0,
  periodMs: 200,
  timeoutMs: 1000,
  successes: 1,
  ...more,
});
const serve = (port: number, answer: string): string =>
  `exec "$NODE" -e 'require("http").createServer((q, r) => { ${answer} }).listen(${port}, "127.0.0.1", () => console.log("listens"))'`;
const ask = (port: number): string => `"$NODE" -e 'fetch("http://localhost:${port}/").then((r) => r.text()).then(console.log)'`;
/** Waits until it gets TERM. */
const idle = "trap 'echo bye; exit 0' TERM; echo here; while :; do sleep 0.05; done";

function job(steps: Parameters<typeof makeJob>[0], sidecars: JobSidecar[], more: Partial<Job> = {}): Job {
  return makeJob(steps, { sidecars, ...more });
}

function said({ lines }: Finished, step: string): string[] {
  return lines.filter((line) => line.step === step && line.stream !== "system").map(({ text }) => text);
}

/** Sidecars: what runs beside the steps of a task. */
export const sidecarScenarios: Scenario[] = [
  {
    name: "a sidecar is reached at localhost by each step, has a log of its own, and is ended after the last step",
    needs: "sidecars",
    async check(bench) {
      for (const network of ["none", "host", ...(bench.promises.outbound ? (["outbound"] as const) : [])] as const) {
        const sidecars = [
          { name: "web", script: serve(7071, 'console.log("asked"); r.end("hello")'), probe: probe({ kind: "tcp", port: 7071 }) },
          { name: "idle", script: idle },
        ];
        const finished = await run(
          bench,
          job(
            [ask(7071), ask(7071)].map((script) => ({ script })),
            sidecars,
            { network },
          ),
        );
        expect([finished.outcome.message, finished.outcome.status]).toEqual(["", "succeeded"]);
        expect(["step-1", "step-2"].flatMap((step) => said(finished, step))).toEqual(["hello", "hello"]);
        expect(said(finished, "sidecar-web")).toEqual(["listens", "asked", "asked"]);
        expect(said(finished, "sidecar-idle")[0]).toBe("here");
      }
    },
  },
  {
    name: "no step begins before each sidecar is ready, however that is asked for",
    needs: "sidecars",
    async check(bench) {
      const volumes = [{ name: "shared", scratch: { inMemory: false } }];
      const mounts = [{ volume: "shared", path: "/shared", readOnly: false }];
      const late = `sleep 1; echo 1 > /shared/one; touch /tmp/ready; ${idle}`;
      const busy = serve(
        7072,
        'global.n = (global.n || 0) + 1; r.statusCode = n < 3 ? 503 : 200; if (n === 3) require("fs").writeFileSync("/shared/two", "2"); r.end(q.headers.x)',
      );
      const headers = [{ name: "X", value: "a b" }];
      const sidecars = [
        { name: "one", script: late, mounts, probe: probe({ kind: "exec", command: ["sh", "-c", "echo noise; test -e /tmp/ready"] }) },
        { name: "two", script: busy, mounts, probe: probe({ kind: "http", port: 7072, path: "/a?b", headers }) },
      ];
      const finished = await run(
        bench,
        job([{ script: "cat /shared/one /shared/two; test ! -e /tmp/ready", mounts }], sidecars, { volumes }),
      );
      expect([finished.outcome.message, finished.outcome.status]).toEqual(["", "succeeded"]);
      expect(said(finished, "step-1").join(" ")).toBe("1 2");
    },
  },
  {
    name: "a sidecar that is not ready in time, or fails before, fails the task and is named; no step begins",
    needs: "sidecars",
    async check(bench) {
      const cases: [JobSidecar, string, RegExp][] = [
        [
          { name: "slow", script: idle, probe: probe({ kind: "tcp", port: 7073 }) },
          "SidecarFailed",
          /sidecar "slow" was not ready within .* could not connect to port 7073/,
        ],
        [
          { name: "hung", script: idle, probe: probe({ kind: "exec", command: ["sleep", "100"] }) },
          "SidecarFailed",
          /sidecar "hung" was not ready within .* did not respond within 1 s/,
        ],
        [
          { name: "broken", script: "echo oops; exit 3", probe: probe({ kind: "tcp", port: 7073 }) },
          "SidecarFailed",
          /sidecar "broken" ended with exit code 3; no step was started/,
        ],
        [{ name: "gone", command: ["/no/such/program"] }, "SidecarFailed", /sidecar "gone" ended with exit code 127.*no step was started/],
      ];
      for (const [sidecar, reason, message] of cases) {
        // A sidecar without a probe may end a moment after it counts as ready.
        const wait = { name: "wait", script: idle, probe: probe({ kind: "exec", command: ["true"] }, { initialDelayMs: 1000 }) };
        const finished = await run(bench, job("echo begun", [sidecar, wait]));
        expect(finished.outcome).toMatchObject({ status: "failed", reason, message: expect.stringMatching(message) });
        expect(finished.texts()).not.toContain("begun");
      }
    },
  },
  {
    name: "a sidecar without its image fails the task before a step begins",
    needs: "sidecars",
    async check(bench) {
      const { outcome, texts } = await run(
        bench,
        job("echo begun", [{ name: "none", image: "localhost/no-such-image:1", script: "true" }]),
      );
      expect(outcome).toMatchObject({ status: "failed", reason: "ImagePullFailed", message: expect.stringContaining("no-such-image") });
      expect(texts()).toEqual([]);
    },
  },
  {
    name: "a sidecar that can't be run as it is written is called a sidecar, not a step",
    needs: "sidecars",
    async check(bench) {
      for (const [sidecar, message] of [
        [{ name: "none", image: "", script: "true" }, /^sidecar "none" names no image/],
        [{ name: "long", command: ["echo", "x".repeat(140_000)] }, /^sidecar "long" (can't|could not) be started/],
      ] as [JobSidecar, RegExp][]) {
        const { outcome } = await run(bench, job("echo begun", [sidecar]));
        expect(outcome).toMatchObject({ status: "invalid", reason: "InvalidTask", message: expect.stringMatching(message) });
      }
    },
  },
  {
    name: "a sidecar that ends by itself does not decide how the task ends: that it failed is said",
    needs: "sidecars",
    async check(bench) {
      const ends = (code: number) => ({
        name: "short",
        script: `while ! test -e /shared/go; do sleep 0.05; done; echo over; exit ${code}`,
        mounts,
      });
      const volumes = [{ name: "shared", scratch: { inMemory: false } }];
      const mounts = [{ volume: "shared", path: "/shared", readOnly: false }];
      const step = (code: number) => [{ script: "touch /shared/go; sleep 1", mounts }, { script: `exit ${code}` }];
      const good = await run(bench, job(step(0), [ends(4)], { volumes }));
      expect([good.outcome.status, said(good, "sidecar-short")]).toEqual(["succeeded", ["over"]]);
      expect(good.texts("system").join("\n")).toContain('sidecar "short" ended with exit code 4');
      const bad = await run(bench, job(step(5), [ends(4)], { volumes }));
      expect(bad.outcome.message).toBe('step "step-2" ended with exit code 5; sidecar "short" ended with exit code 4');
      const quiet = await run(bench, job(step(5), [ends(0)], { volumes }));
      expect(quiet.outcome.message).toBe('step "step-2" ended with exit code 5');
    },
  },
  {
    name: "a sidecar shares workspaces and volumes with the steps, and neither their folders nor their results",
    needs: "sidecars",
    async check(bench) {
      const workspaces = ["seen", "hidden"].map((name) => ({
        ...{
          name,
          scope: "workflow" as const,
          ownerId: `sidecar-${name}-${process.pid}`,
          source: `${bench.workspacesDir}/sidecar-${name}`,
        },
        ...{ mountPath: `/workspace/${name}`, readOnly: false, sizeLimitBytes: 10_000_000 },
      }));
      const script = `echo from-sidecar > /workspace/seen/file; ls /workspace; ls /tekton/results /task/results 2>&1 | grep -c 'No such'
        echo x > /tmp/of-sidecar; echo x > /data/of-sidecar; echo x > "$HOME/of-sidecar"; echo "[$RESULTS_PATH]"; cat "$PARAMS_PATH/p"; echo; ${idle}`;
      const sidecar = {
        name: "db",
        script,
        workspaces: ["seen"],
        probe: probe({ kind: "exec", command: ["test", "-e", "/task/home/of-sidecar"] }),
      };
      const steps = [{ script: 'cat /workspace/seen/file; ls -A /tmp /data "$HOME"; echo value > "$RESULTS_PATH/r"' }];
      const more = {
        workspaces,
        results: [{ name: "r" }],
        params: [{ name: "p", value: "the-secret-value" }],
        secrets: ["the-secret-value"],
      };
      const finished = await run(bench, job(steps, [sidecar], more));
      expect(finished.outcome).toMatchObject({ status: "succeeded", results: [{ name: "r", value: "value\n" }] });
      expect(said(finished, "step-1").join(" ")).not.toContain("of-sidecar");
      expect(said(finished, "step-1")[0]).toBe("from-sidecar");
      expect(said(finished, "sidecar-db").slice(0, 5)).toEqual(["seen", "2", "[]", "***", "here"]);
    },
  },
  {
    name: "a sidecar that writes without end takes no line of the log from the steps",
    needs: "sidecars",
    async check(bench) {
      const noisy = { name: "noisy", script: "yes 'a line of a sidecar that never stops'" };
      const limits = { ...makeJob("").limits, outputBytes: 200_000 };
      const finished = await run(bench, job([{ script: "sleep 2; echo mine" }], [noisy], { limits }));
      expect([finished.outcome.status, said(finished, "step-1")]).toEqual(["succeeded", ["mine"]]);
      const bytes = said(finished, "sidecar-noisy").reduce((sum, text) => sum + text.length + 1, 0);
      expect(bytes).toBeGreaterThan(50_000);
      expect(bytes).toBeLessThanOrEqual(100_001);
      expect(finished.texts("system").join("\n")).toContain("OutputLimit");
    },
  },
  {
    name: "a stop ends the sidecars with the step, and also while they are waited for",
    needs: "sidecars",
    async check(bench) {
      const running = await startUntil(bench, job("echo running; sleep 100", [{ name: "idle", script: idle }]), "running");
      running.handle.stop("cancelled", 10_000);
      const stopped = await running.finished;
      expect(stopped.outcome.status).toBe("cancelled");
      // In a pod, all of its processes get TERM, and its shell reports that.
      expect(said(stopped, "sidecar-idle").filter((text) => text !== "Terminated")).toEqual(["here", "bye"]);
      const stubborn = "trap '' TERM; echo here; while :; do sleep 0.05; done";
      const waited = job("echo begun", [{ name: "late", script: stubborn, probe: probe({ kind: "tcp", port: 7074 }) }], {
        timeoutMs: 60_000,
      });
      const waiting = await startUntil(bench, waited, "here");
      waiting.handle.stop("timedout", 300);
      const { outcome, texts } = await waiting.finished;
      expect(outcome.status).toBe("timedout");
      expect(outcome.message).toContain('sidecar "late" was not ready');
      expect(texts()).not.toContain("begun");
    },
  },
  {
    name: "what sidecars write counts towards the scratch folder of the task",
    needs: "sidecars",
    async check(bench) {
      const filling = `while :; do head -c 5000000 /dev/zero >> /tmp/large; sleep 0.1; done`;
      const { outcome } = await run(bench, job("sleep 50", [{ name: "large", script: filling }]));
      expect(outcome).toMatchObject({ status: "failed", reason: "WorkspaceFull", message: expect.stringContaining("its scratch folder") });
    },
  },
];
