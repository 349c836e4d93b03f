import { expect } from "vitest";
import { makeJob, run, type Scenario } from "./scenario.ts";

/** What steps leave for other tasks. */
export const resultScenarios: Scenario[] = [
  {
    name: "results are the bytes of their files, read as their type, and kept when the task fails",
    async check(bench) {
      const script = `cd "$RESULTS_PATH"
        printf 'two\\nlines\\n' > text; printf '["a", 1]' > list; printf '{"k": {"n": null}}' > object; : > empty
        printf 'é\\000\\377' > odd; printf extra > undeclared; exit 4`;
      const results = [
        { name: "text" },
        { name: "list", type: "array" as const },
        { name: "object", type: "object" as const },
        { name: "empty", type: "string" as const },
        { name: "odd" },
        { name: "missing" },
      ];
      const { outcome } = await run(bench, makeJob(script, { results }));
      expect(outcome).toMatchObject({ status: "failed", reason: "ExitCode", exitCode: 4 });
      expect(outcome.results).toEqual([
        { name: "text", value: "two\nlines\n" },
        { name: "list", value: ["a", 1] },
        { name: "object", value: { k: { n: null } } },
        { name: "empty", value: "" },
        { name: "odd", value: "é\ufffd\ufffd" },
        { name: "undeclared", value: "extra" },
      ]);
    },
  },
  {
    name: "a result that is too large fails the task and leaves the others",
    once: true,
    async check(bench) {
      const script = 'cd "$RESULTS_PATH"; head -c 1048577 /dev/zero | tr "\\0" x > big; head -c 1048576 /dev/zero | tr "\\0" x > full';
      const { outcome } = await run(bench, makeJob(script, { results: [{ name: "big" }, { name: "full" }] }));
      expect(outcome).toMatchObject({ status: "failed", reason: "ResultTooLarge", message: 'result "big" has more than 1048576 bytes' });
      expect(outcome.results.map(({ name, value }) => [name, String(value).length])).toEqual([["full", 1_048_576]]);
    },
  },
  {
    name: "a result that is not of its type fails the task and says so, with the text kept",
    once: true,
    async check(bench) {
      const { outcome } = await run(bench, makeJob('printf "[1" > "$RESULTS_PATH/list"', { results: [{ name: "list", type: "array" }] }));
      expect(outcome).toMatchObject({ status: "failed", reason: "InvalidTask", results: [{ name: "list", value: "[1" }] });
      expect(outcome.message).toBe('result "list" is declared as array, but its file contains no JSON array');
    },
  },
  {
    name: "a result of JSON that no column takes is made safe or refused",
    once: true,
    async check(bench) {
      const script = `cd "$RESULTS_PATH"; printf '["\\\\u0000", "\\\\ud800"]' > odd; ("$NODE" -p '"[".repeat(70) + "]".repeat(70)') > deep`;
      const results = [
        { name: "odd", type: "array" as const },
        { name: "deep", type: "array" as const },
      ];
      const { outcome } = await run(bench, makeJob(script, { results }));
      expect(outcome.results).toEqual([
        { name: "odd", value: ["\ufffd", "\ufffd"] },
        { name: "deep", value: null },
      ]);
      expect(outcome).toMatchObject({ status: "failed", message: 'result "deep" is nested deeper than 64 levels' });
    },
  },
  {
    name: "results that are too large together fail the task and leave what fits",
    once: true,
    async check(bench) {
      const names = Array.from({ length: 20 }, (_, index) => ({ name: `r${index}` }));
      const job = makeJob('for i in $(seq 0 19); do head -c 1000 /dev/zero | tr "\\0" x > "$RESULTS_PATH/r$i"; done', { results: names });
      job.limits = { ...job.limits, resultBytes: 1000 };
      const { outcome } = await run(bench, job);
      const message = 'result "r16" has more than what is left of the 16000 bytes of all results';
      expect(outcome).toMatchObject({ status: "failed", reason: "ResultTooLarge", message });
      expect(outcome.results.map(({ name }) => name)).toEqual(names.slice(0, 16).map(({ name }) => name));
    },
  },
  {
    name: "links, pipes and folders in place of a result are not followed",
    async check(bench) {
      const script = 'cd "$RESULTS_PATH"; ln -s /etc/passwd link; mkfifo pipe; mkdir folder; ln -s /etc folder-link; echo fine > good';
      const names = ["link", "pipe", "folder", "good"].map((name) => ({ name }));
      const { outcome } = await run(bench, makeJob(script, { results: names }));
      expect(outcome).toMatchObject({ status: "succeeded", results: [{ name: "good", value: "fine\n" }] });
    },
  },
  {
    name: "a result folder that was swapped for a link gives nothing",
    async check(bench) {
      const { outcome } = await run(
        bench,
        makeJob('rm -rf "$RESULTS_PATH" 2>/dev/null; ln -s /etc "$RESULTS_PATH" 2>/dev/null; true', { results: [{ name: "passwd" }] }),
      );
      expect(outcome.results).toEqual([]);
    },
  },
  {
    name: "secrets are masked in results, names of results and messages",
    once: true,
    async check(bench) {
      const script = `cd "$RESULTS_PATH"; printf "%s" "$PARAM_KEY" > text; printf '["%s"]' "$PARAM_KEY" > list
        printf '{"%s": 1}' "$PARAM_KEY" > object; printf a > "$PARAM_KEY"; printf b > "its-$PARAM_KEY"; printf c > "$PARAM_KEY$PARAM_KEY"`;
      const steps = [{ script }, { name: "use s3cr3t-value", script: "exit 1" }];
      const { outcome } = await run(
        bench,
        makeJob(steps, {
          params: [{ name: "key", value: "s3cr3t-value" }],
          secrets: ["s3cr3t-value"],
          results: [{ name: "text" }, { name: "list", type: "array" }, { name: "object", type: "object" }],
        }),
      );
      expect(outcome.results).toEqual([
        { name: "text", value: "***" },
        { name: "list", value: ["***"] },
        { name: "object", value: { "***": 1 } },
        { name: "its-***", value: "b" },
        { name: "***", value: "a" },
        { name: "***-2", value: "c" },
      ]);
      expect(outcome.message).toBe('step "use ***" ended with exit code 1');
    },
  },
];
