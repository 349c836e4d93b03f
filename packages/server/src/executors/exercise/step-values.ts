import { expect } from "vitest";
import { type ProgramTask, resolveSteps } from "../../core/task/tekton/job-steps.ts";
import { stepResultFile } from "../../core/task/tekton/step-values.ts";
import type { Job } from "../../engine/executor.ts";
import { type Bench, makeJob, run, type Scenario } from "./scenario.ts";

/** A job with steps in the form of a document, including references. */
function documentJob(bench: Bench, steps: NonNullable<ProgramTask["spec"]["steps"]>, more: Partial<Job> = {}): Job {
  const job = makeJob("true", more);
  const extra = (words: readonly string[]) => {
    const value = bench.executor.place(job, words);
    return value === undefined ? { found: false } : { found: true, value };
  };
  const task = Object.fromEntries(job.params.map(({ name, value }) => [name, value]));
  job.steps = resolveSteps({ name: "exercise", type: "template", spec: { steps }, annotations: {} }, { task, extra }).steps;
  return job;
}

const results = (...names: string[]) => names.map((name) => ({ name }));
const show = 'printf "<%s>" "$@"; echo';

/** What earlier steps of a task pass to later ones, and whether these run. */
export const stepValueScenarios: Scenario[] = [
  {
    name: "elements of a list and members of an object are values of later steps, to the letter; or the task says that they can't be",
    async check(bench) {
      const list = ["$(reboot) `id`", "", 'it\'s "two"\n', "$(params.p)"];
      const object = { "a-b": "$(steps.a.results.list[*])", constructor: "c" };
      const steps = [
        {
          name: "a",
          results: [{ name: "list", type: "array" as const }, { name: "object", type: "object" as const }, { name: "dotted.name" }],
          script:
            'printf %s "$PARAM_LIST" > $(step.results.list.path); printf %s "$PARAM_OBJECT" > $(step.results.object.path); printf d > $(steps.a.results.dotted.name.path)',
        },
        {
          name: "b",
          script: `${show}; printf "<%s>" "$ONE"; echo`,
          args: [
            "$(steps.a.results.list[*])",
            "v$(steps.a.results.list[2])",
            "$(steps.a.results.object.a-b)",
            "$(steps.a.results.dotted.name)",
          ],
          env: [{ name: "ONE", value: "$(steps.a.results.object.constructor)$(steps.a.results.list[0])" }],
          when: [{ input: "", operator: "in", values: ["$(steps.a.results.list[*])"] }],
        },
        { name: "never", script: "echo never", when: [{ input: "it", operator: "in", values: ["$(steps.a.results.list[*])"] }] },
      ];
      const params = Object.entries({ list, object }).map(([name, value]) => ({ name, value: JSON.stringify(value) }));
      const { outcome, texts } = await run(bench, documentJob(bench, steps, { params }));
      if (bench.executor.kind === "kubernetes")
        return expect(outcome.message).toContain("parts of results of other steps, which pods can't");
      expect(outcome.message).toBe("");
      const said = [...list, `v${list[2]}`, object["a-b"], "d"].map((text) => `<${text}>`).join("");
      expect(texts().join("\n")).toBe(`${said}\n<c${list[0]}>`);
    },
  },
  {
    name: "a part that a result does not have, and a result that is no list, fail the step that takes it",
    async check(bench) {
      if (bench.executor.kind === "kubernetes") return;
      const taking = (written: string, more: string) => [
        { name: "a", results: [{ name: "l", type: "array" as const }], script: `printf '${written}' > $(step.results.l.path)` },
        { name: "b", script: "echo never", args: [`$(steps.a.results.l${more})`] },
      ];
      for (const [written, more, message] of [
        ['["x"]', "[1]", 'step "b" needs "1" of the result "l" of step "a", which has no such element or member'],
        ["{}", "[*]", 'step "b" needs a part of the result "l" of step "a", which is no JSON list'],
        ["[", "[0]", "which is no JSON list or object"],
        [" ", "[*]", "which is no JSON list"],
      ] as const) {
        const { outcome, texts } = await run(bench, documentJob(bench, taking(written, more)));
        expect([outcome.status, texts()]).toEqual(["failed", []]);
        expect(outcome.message).toContain(message);
      }
    },
  },
  {
    name: "results of a step are values of later ones, to the letter",
    async check(bench) {
      const nasty = `$(reboot) \`id\` 'q' "d" $HOME $(params.p) $(steps.a.results.plain) \\ * -n\nsecond\n\n`;
      const job = documentJob(
        bench,
        [
          {
            name: "a",
            results: results("nasty", "plain", "empty"),
            script:
              'printf %s "$PARAM_NASTY" > $(step.results.nasty.path); printf 1.2 > $(steps.a.results.plain.path); : > $(step.results.empty.path)',
          },
          {
            name: "b",
            script: `${show}; printf "<%s>" "$ONE" "$TWO"; echo`,
            args: ["$(steps.a.results.nasty)", "v$(steps.a.results.plain)-$(params.p)$(steps.a.results.plain)", "$(steps.a.results.empty)"],
            env: [
              { name: "ONE", value: "$(steps.a.results.nasty)" },
              { name: "TWO", value: "it's $(steps.a.results.plain)" },
            ],
          },
          { name: "odd", command: ["printenv", "odd.name"], env: [{ name: "odd.name", value: "it's $(steps.a.results.plain)" }] },
          { name: "c", command: ["printf", "%s|"], args: ["$(steps.a.results.plain)", "x"] },
        ],
        {
          params: [
            { name: "nasty", value: nasty },
            { name: "p", value: "$(steps.a.results.plain)" },
          ],
        },
      );
      const { outcome, texts } = await run(bench, job);
      expect(outcome.message).toBe("");
      const said = `<${nasty}><v1.2-$(steps.a.results.plain)1.2><>\n<${nasty}><it's 1.2>\nit's 1.2\n1.2|x|`;
      expect(texts().join("\n")).toBe(said);
    },
  },
  {
    name: "a value that is no text has U+FFFD where it is none, as every result",
    once: true,
    async check(bench) {
      const job = documentJob(bench, [
        { name: "a", results: results("x"), script: "printf 'é\\000\\377\\342\\202x' > $(step.results.x.path)" },
        { name: "b", script: 'printf %s "$1" | od -An -tx1 | tr -d " \\n"; echo', args: ["$(steps.a.results.x)"] },
      ]);
      const { outcome, texts } = await run(bench, job);
      expect(outcome.message).toBe("");
      expect(texts()).toEqual([Buffer.from("é\ufffd\ufffd\ufffdx").toString("hex")]);
    },
  },
  {
    name: "a result of the task takes the value of a step's result, and a secret in it is masked only where it is shown",
    once: true,
    async check(bench) {
      const job = documentJob(
        bench,
        [
          {
            name: "a",
            results: results("key", "list"),
            script: 'printf %s "$PARAM_KEY" > $(step.results.key.path); printf "[1]" > $(step.results.list.path)',
          },
          { name: "b", script: '[ "$1" = "$PARAM_KEY" ] && echo same; echo "$1"', args: ["$(steps.a.results.key)"] },
        ],
        {
          params: [{ name: "key", value: "s3cr3t-value" }],
          secrets: ["s3cr3t-value"],
          results: [
            { name: "key", file: stepResultFile({ step: "a", result: "key" }) },
            { name: "again", file: stepResultFile({ step: "a", result: "key" }) },
            { name: "list", type: "array", file: stepResultFile({ step: "a", result: "list" }) },
            { name: "none", file: stepResultFile({ step: "a", result: "none" }) },
          ],
        },
      );
      const { outcome, texts } = await run(bench, job);
      expect(texts()).toEqual(["same", "***"]);
      expect(outcome).toMatchObject({ status: "succeeded" });
      expect(outcome.results).toEqual([
        { name: "key", value: "***" },
        { name: "again", value: "***" },
        { name: "list", value: [1] },
      ]);
    },
  },
  {
    name: "a step that needs a result which is none fails, whatever lies in its place, and names both",
    once: true,
    async check(bench) {
      const place = "$(step.results.x.path)";
      for (const script of ["true", `ln -s /etc/passwd ${place}`, `mkdir ${place}`, `mkfifo ${place}`]) {
        const job = documentJob(bench, [
          { name: "a", results: results("x"), script },
          { name: "b", script: "echo begun", args: ["$(steps.a.results.x)"] },
        ]);
        const { outcome, texts } = await run(bench, job);
        const message = 'step "b" needs the result "x" of step "a", and there is none: that step was skipped, or did not write it';
        expect(outcome).toMatchObject({ status: "failed", reason: "InvalidTask", message });
        expect(texts()).toEqual([]);
      }
    },
  },
  {
    name: "a result that is too large for a value, or too much for a program, fails the step that takes it",
    once: true,
    async check(bench) {
      const fill = (bytes: number) => `head -c ${bytes} /dev/zero | tr "\\0" x > $(step.results.x.path)`;
      const take = async (bytes: number, args: string[]) => {
        const job = documentJob(bench, [
          { name: "a", results: results("x"), script: fill(bytes) },
          { name: "b", script: 'echo "${#1}"', args },
        ]);
        return run(bench, job);
      };
      expect((await take(65_536, ["$(steps.a.results.x)"])).texts()).toEqual(["65536"]);
      const large = (await take(10_000_000, ["$(steps.a.results.x)"])).outcome;
      expect(large).toMatchObject({ status: "failed", reason: "ResultTooLarge" });
      expect(large.message).toBe(
        'step "b" can\'t have the result "x" of step "a" as a value: it has more than 65536 bytes; give it by its path, $(steps.a.results.x.path)',
      );
      const long = (await take(65_000, ["$(steps.a.results.x)-$(steps.a.results.x)-$(steps.a.results.x)"])).outcome;
      expect(long).toMatchObject({ status: "failed", reason: "InvalidTask" });
      expect(long.message).toContain(
        'step "b" can\'t be started: with the results of other steps its command and environment are too long',
      );
    },
  },
  {
    name: "a step whose conditions do not hold is skipped, and the next one goes on",
    once: true,
    async check(bench) {
      const when = (input: string, operator: string, ...values: string[]) => [{ input, operator, values }];
      const job = documentJob(
        bench,
        [
          { name: "a", results: results("x"), script: "printf '*\\n' > $(step.results.x.path); echo a" },
          { name: "by-param", when: when("$(params.mode)", "in", "slow"), script: "echo no" },
          { name: "by-result", when: when("$(steps.a.results.x)", "notin", "*\n"), script: "echo no; printf 1 > $(step.results.y.path)" },
          { name: "pattern", when: when("anything", "in", "$(steps.a.results.x)", "*", "a*"), script: "echo no" },
          { name: "odd", when: when("!", "in", "(", "-n", ")", ""), script: "echo no" },
          { name: "unwanted", when: when("a", "in", "b"), script: "echo no", args: ["$(steps.by-result.results.y)"] },
          {
            name: "runs",
            when: [
              ...when("$(params.mode)", "in", "$(params.modes[*])"),
              ...when("x$(steps.a.results.x)", "in", "x*\n"),
              ...when("", "notin", "a"),
            ],
            script: "echo runs; cat $(steps.by-param.exitCode.path); echo",
          },
          { name: "last", when: when("a", "in", "b"), script: "echo no" },
        ],
        {
          params: [
            { name: "mode", value: "fast" },
            { name: "modes", value: ["quick", "fast"] },
          ],
        },
      );
      const { outcome, texts, lines } = await run(bench, job);
      expect(outcome).toMatchObject({ status: "succeeded", reason: "Succeeded", message: "" });
      expect(texts()).toEqual(["a", "runs", "0"]);
      const skipped = lines.filter(({ stream }) => stream === "system").map(({ step, text }) => `${step} ${text}`);
      const names = ["by-param", "by-result", "pattern", "odd", "unwanted", "last"];
      expect(skipped).toEqual(names.map((name) => `${name} skipped: its condition (when) does not hold`));
    },
  },
  {
    name: "a condition on a result that is none fails its step",
    once: true,
    async check(bench) {
      const job = documentJob(bench, [
        { name: "a", results: results("x"), script: "true" },
        { name: "b", when: [{ input: "$(steps.a.results.x)", operator: "notin", values: ["y"] }], script: "echo begun" },
      ]);
      const { outcome, texts } = await run(bench, job);
      expect(outcome).toMatchObject({ status: "failed", message: expect.stringContaining('step "b" needs the result "x" of step "a"') });
      expect(texts()).toEqual([]);
    },
  },
];
