import { expect } from "vitest";
import { makeJob, run, type Scenario } from "./scenario.ts";

/** How steps end by themselves. */
export const endingScenarios: Scenario[] = [
  {
    name: "an exit code is reported with its step, and later steps do not run",
    async check(bench) {
      const { outcome, texts } = await run(
        bench,
        makeJob([{ script: "true" }, { name: "build", script: "exit 3" }, { script: "echo no" }]),
      );
      expect(outcome).toMatchObject({ status: "failed", reason: "ExitCode", exitCode: 3, message: 'step "build" ended with exit code 3' });
      expect(outcome.isolation).not.toBe("");
      expect(outcome.host).not.toBe("");
      expect(texts()).toEqual([]);
    },
  },
  {
    name: "a step with onError continue lets the task go on and succeed",
    async check(bench) {
      const { outcome, texts } = await run(bench, makeJob([{ script: "exit 3", onError: "continue" }, { script: "echo on" }]));
      expect(outcome.status).toBe("succeeded");
      expect(texts()).toEqual(["on"]);
      expect(texts("system").join()).toContain('step "step-1" ended with exit code 3; the task continues');
    },
  },
  {
    name: "a signal is reported by its name",
    async check(bench) {
      const { outcome } = await run(bench, makeJob("kill -SEGV $$"));
      expect(outcome).toMatchObject({ status: "failed", reason: "Signal", signal: "SIGSEGV", exitCode: 139 });
      expect(outcome.message).toContain("ended by signal SEGV");
    },
  },
  {
    name: "a missing command or interpreter has its own reason",
    async check(bench) {
      const missing = [
        { command: ["no-such-program"] },
        { command: ["/no/such"] },
        { script: "no-such-program" },
        { script: "#!/no/such/shell\n" },
      ];
      for (const step of missing) {
        const { outcome, texts } = await run(bench, makeJob([step]));
        expect(outcome, JSON.stringify(step)).toMatchObject({ status: "failed", reason: "CommandNotFound", exitCode: 127 });
        expect(texts().join()).toMatch(/no-such-program|\/no\/such/);
      }
    },
  },
  {
    name: "a program that can't be executed has its own reason",
    async check(bench) {
      const { outcome } = await run(bench, makeJob("echo text > plain\nexec ./plain"));
      expect(outcome).toMatchObject({ status: "failed", reason: "ExitCode", exitCode: 126 });
      expect(outcome.message).toContain("could not be executed");
    },
  },
  {
    name: "a task that describes nothing that could run is invalid, with the reason in words",
    once: true,
    async check(bench) {
      const cases: [Parameters<typeof makeJob>[0], string, object?][] = [
        [[], "has no steps"],
        [[{ name: "lazy" }], 'step "lazy" has neither a script nor a command'],
        [[{ script: "#!python\n" }], "names no interpreter by an absolute path"],
        ["true", "can't be a file", { results: [{ name: "../x" }] }],
        [[{ command: ["true", "x".repeat(3_000_000)] }], "too long"],
      ];
      for (const [steps, message, more] of cases) {
        const { outcome } = await run(bench, makeJob(steps, more ?? {}));
        expect(outcome).toMatchObject({ status: "invalid", reason: "InvalidTask" });
        expect(outcome.message).toContain(message);
      }
    },
  },
  {
    name: "what a step leaves running ends with it",
    async check(bench) {
      const { outcome, texts } = await run(
        bench,
        makeJob([{ script: "sleep 1000 & setsid sleep 1000 & echo started" }, { script: "echo next" }]),
      );
      expect(outcome.status).toBe("succeeded");
      expect(texts()).toEqual(["started", "next"]);
      expect(await bench.leftovers()).toEqual([]);
    },
  },
  {
    name: "fifty tasks at once each end as themselves",
    async check(bench) {
      const jobs = Array.from({ length: 50 }, (_, index) =>
        makeJob(`echo "out ${index}"; printf ${index} > "$RESULTS_PATH/n"; exit ${index % 3}`, {
          results: [{ name: "n" }],
          // A cluster of one busy node starts the last of them after almost a minute.
          timeoutMs: 240_000,
        }),
      );
      const all = await Promise.all(jobs.map((job) => run(bench, job)));
      all.forEach(({ outcome, texts }, index) => {
        expect(outcome, outcome.message).toMatchObject({ exitCode: index % 3, results: [{ name: "n", value: String(index) }] });
        expect(texts()).toEqual([`out ${index}`]);
      });
    },
  },
  {
    name: "an attempt that runs already is not started beside itself",
    async check(bench) {
      const job = makeJob("echo once; sleep 0.2");
      const [first, second] = await Promise.all([run(bench, job), run(bench, job)]);
      expect([first.outcome.status, second.outcome.status].sort()).toEqual(["failed", "succeeded"]);
      expect([first.outcome.message, second.outcome.message]).toContain("this attempt is already running here");
    },
  },
];
