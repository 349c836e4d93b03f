import { expect } from "vitest";
import { makeJob, run, type Scenario } from "./scenario.ts";

/** Tekton's `stdoutConfig` and `stderrConfig`: the output of a step in separate files, and in the log as well. */
export const outputFileScenarios: Scenario[] = [
  {
    name: "the output of a step is in the files that it names, and in the log",
    needs: "files",
    async check(bench) {
      const job = makeJob(
        [
          {
            outputFiles: { stdout: "/tekton/results/said", stderr: "deep/er/complaints" },
            script: "echo said; echo complained >&2; echo '$(params.x) \"'",
          },
          {
            outputFiles: { stdout: "/task/work/both", stderr: "/task/work/both" },
            command: ["sh", "-c"],
            args: ["echo 1; echo 2 >&2; echo 3"],
          },
          { script: "cat deep/er/complaints both; ls -A /task/tmp" },
        ],
        { results: [{ name: "said" }] },
      );
      const { outcome, texts } = await run(bench, job);
      expect([outcome.message, outcome.results]).toEqual(["", [{ name: "said", value: 'said\n$(params.x) "\n' }]]);
      expect(texts().slice(0, 3).sort()).toEqual(['$(params.x) "', "complained", "said"]);
      expect(texts().slice(3)).toEqual(["1", "2", "3", "complained", "1", "2", "3"]);
    },
  },
  {
    name: "a step whose output is copied ends with its own exit code, and with all that it wrote",
    needs: "files",
    async check(bench) {
      const steps = [
        { outputFiles: { stdout: "out" }, onError: "continue" as const, script: "seq 1 20000; sleep 1000 2>&1 & exit 7" },
        { script: 'cat "$RESULTS_PATH/../work/out" | tail -n 1; wc -l < out' },
      ];
      const { outcome, texts } = await run(bench, makeJob(steps));
      expect(outcome.message).toBe("");
      expect(
        texts()
          .slice(-2)
          .map((text) => text.trim()),
      ).toEqual(["20000", "20000"]);
      expect(texts()).toHaveLength(20002);
      expect(texts("system").join()).toContain("exit code 7");
    },
  },
  {
    name: "a path of an output file is the step's own: what it can't write fails the step, and nothing of the machine is touched",
    needs: "files",
    async check(bench) {
      const { outcome, texts } = await run(bench, makeJob([{ outputFiles: { stdout: "/proc/sys/kernel/x" }, script: "echo never" }]));
      expect(outcome).toMatchObject({ status: "failed", exitCode: 126 });
      expect(texts()).toEqual([expect.stringMatching(/^\/proc\/sys\/kernel\/x: can't be opened .*stdoutConfig/)]);
      const odd = await run(bench, makeJob([{ name: "odd", outputFiles: { stderr: "" }, script: "true" }]));
      expect(odd.outcome).toMatchObject({ status: "invalid", message: expect.stringContaining("the path of stderrConfig is empty") });
    },
  },
  {
    name: "a step whose output is copied is stopped as any other, and may say its last words",
    needs: "files",
    async check(bench) {
      const script = "exec 2>/dev/null; trap 'echo last words; exit 0' TERM; echo ready; while :; do sleep 1000 & wait $!; done";
      const steps = [{ outputFiles: { stdout: "out" }, timeoutMs: 1500, script }];
      const { outcome, texts } = await run(bench, makeJob(steps));
      expect([outcome.status, texts()]).toEqual([expect.stringMatching(/failed|timedout/), ["ready", "last words"]]);
    },
  },
];
