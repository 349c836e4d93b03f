import { expect } from "vitest";
import type { JobStep } from "../../core/task/tekton/job-steps.ts";
import type { Job } from "../../engine/executor.ts";
import { type Bench, makeJob, run, type Scenario } from "./scenario.ts";

/** Tasks whose script is a function. They behave the same wherever they run, and whether their sandbox is kept or not. */
export const functionScenarios: Scenario[] = [
  {
    name: "a function gets the parameters as they are, and what it returns are the results",
    async check(bench) {
      const script = `export default async function (params, context) {
        console.log(typeof params.count, params.list.length, params.nothing, context.task, context.attempt, Object.keys(context.workspaces).length);
        console.error(process.env.PARAM_WORD);
        return { text: "as it is\\n", number: params.count + 1, list: params.list, object: { a: null }, nothing: null, missing: undefined };
      }`;
      const params = Object.entries({ count: 1, list: ["a", 2], nothing: null, word: "wörd" }).map(([name, value]) => ({ name, value }));
      const results = [{ name: "text" }, { name: "list", type: "array" as const }, { name: "object", type: "object" as const }];
      for (const { outcome, texts } of await runTwice(bench, script, { params, results })) {
        expect(texts()).toEqual(["number 2 null exercise 1 0", "wörd"]);
        expect(outcome).toMatchObject({ status: "succeeded", exitCode: 0 });
        expect(outcome.results).toEqual([
          { name: "text", value: "as it is\n" },
          { name: "list", value: ["a", 2] },
          { name: "object", value: { a: null } },
          { name: "nothing", value: "" },
          { name: "number", value: "2" },
        ]);
      }
    },
  },
  {
    name: "a function that throws, leaves or waits for nothing fails as a process does, and says why",
    once: true,
    async check(bench) {
      const cases: [script: string, exitCode: number, says: string][] = [
        ['export default () => { throw new Error("too bad"); }', 1, "Error: too bad"],
        ["export default () => process.exit(7)", 7, ""],
        ["export default () => new Promise(() => {})", 1, "waits for a promise that nothing will settle"],
        ["await new Promise(() => {});\nexport default () => {}", 1, "waits for a promise that nothing will settle"],
        ["export default 7", 1, "no function as its default export"],
        ["export default function (", 1, "SyntaxError"],
        ["export default () => [1]", 1, "the function returned a list"],
        ['export default () => ({ "../up": 1 })', 1, 'the member "../up", which is no name of a result'],
        ["export default () => ({ big: 1n })", 1, "TypeError"],
        ["export default () => process.kill(process.pid, 'SIGKILL')", 137, ""],
      ];
      for (const [script, exitCode, says] of cases) {
        for (const { outcome, texts } of await runTwice(bench, script)) {
          expect(outcome, script).toMatchObject({ status: "failed", exitCode });
          expect(texts().join("\n"), script).toContain(says);
          expect(outcome.results).toEqual([]);
        }
      }
    },
  },
  {
    name: "a function that leaves with 0 succeeds with the files that it wrote as results",
    once: true,
    async check(bench) {
      const script = `import { writeFileSync } from "node:fs";
        export default () => { writeFileSync(process.env.RESULTS_PATH + "/early", "left"); process.exit(0); }`;
      for (const { outcome } of await runTwice(bench, script))
        expect(outcome).toMatchObject({ status: "succeeded", results: [{ name: "early", value: "left" }] });
    },
  },
  {
    name: "a function is over when it returns, whatever it left to do, and its output is whole",
    once: true,
    async check(bench) {
      const script = `export default () => {
        setTimeout(() => console.log("too late"), 50_000);
        for (let line = 0; line < 20000; line++) console.log("line", line);
        process.stdout.write("no line end");
      }`;
      for (const { outcome, texts } of await runTwice(bench, script)) {
        expect(outcome).toMatchObject({ status: "succeeded" });
        expect(texts()).toEqual([...Array.from({ length: 20_000 }, (_, line) => `line ${line}`), "no line end"]);
      }
    },
  },
  {
    name: "a function in TypeScript runs where Node can leave out types, and is refused with the remedy elsewhere",
    once: true,
    async check(bench) {
      const script = "export default ({ n }: { n: number }): { twice: number } => ({ twice: n * 2 });";
      const params = [{ name: "n", value: 21 }];
      for (const { outcome, texts } of await runTwice(bench, script, { params }, "typescript")) {
        const isRefused = outcome.status === "failed";
        if (!isRefused) expect(outcome.results).toEqual([{ name: "twice", value: "42" }]);
        else expect(outcome).toMatchObject({ exitCode: 126 });
        if (isRefused) expect(texts().join()).toMatch(/a task in TypeScript needs Node 22\.13 or newer, and this is v2[012]/);
      }
    },
  },
  {
    name: "a function in Python is as one in JavaScript",
    once: true,
    async check(bench, skip) {
      const { outcome: found } = await run(bench, makeJob("command -v python3"));
      if (found.status !== "succeeded") return skip("there is no python3");
      const script = `import sys
async def main(params, context):
    print(params["count"] + 1, context["task"], file=sys.stderr)
    print("out")
    if params["count"] == 3: sys.exit(5)
    if params["count"] == 4: raise ValueError("too bad")
    if params["count"] == 5: return [1]
    return {"text": "ä", "list": params["list"], "nothing": None}
`;
      const results = [{ name: "list", type: "array" as const }];
      const job = (count: number): Partial<Job> => ({
        params: Object.entries({ count, list: [1, "x"] }).map(([name, value]) => ({ name, value })),
        results,
      });
      for (const { outcome, texts } of await runTwice(bench, script, job(1), "python")) {
        expect(texts()).toEqual(["2 exercise", "out"]);
        expect(outcome.results).toEqual([
          { name: "list", value: [1, "x"] },
          { name: "nothing", value: "" },
          { name: "text", value: "ä" },
        ]);
      }
      const ends = [3, 4, 5].map(async (count) =>
        (await runTwice(bench, script, job(count), "python")).map(({ outcome, texts }) => [outcome.exitCode, texts().at(-1)]),
      );
      const [left, raised, wrong] = await Promise.all(ends);
      expect(left).toEqual(Array(2).fill([5, "out"]));
      expect(raised).toEqual(Array(2).fill([1, "ValueError: too bad"]));
      expect(wrong?.flat().join()).toContain("the function returned a list; it must return a dict");
    },
  },
];

/** In a fresh sandbox, and in one that may be kept. */
async function runTwice(bench: Bench, script: string, more: Partial<Job> = {}, language: NonNullable<JobStep["language"]> = "javascript") {
  const job = (keep?: Job["keep"]): Job => makeJob([{ script, language }], { ...more, ...(keep && { keep }) });
  return [await run(bench, job()), await run(bench, job({ definition: "exercise", withSecrets: false }))];
}
