import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { makeJob, run, type Scenario } from "./scenario.ts";

const [firstId, secondId] = ["00000000-0000-7000-8000-000000000001", "00000000-0000-7000-8000-000000000002"];

/** How steps start: scripts, commands, parameters, environment. */
export const stepScenarios: Scenario[] = [
  {
    name: "steps run in order and share their files",
    async check(bench) {
      const job = makeJob([
        { script: 'echo one > file; echo one >> "$HOME/home-file"; echo one > /tmp/tmp-file.$$ || true' },
        { script: 'cat file "$HOME/home-file"; echo two > file' },
        { script: "cat file" },
      ]);
      const { outcome, lines } = await run(bench, job);
      expect(outcome).toMatchObject({ status: "succeeded", reason: "Succeeded", exitCode: 0 });
      expect(lines.map((line) => `${line.step} ${line.text}`)).toEqual(["step-2 one", "step-2 one", "step-3 two"]);
    },
  },
  {
    name: "a step may leave last words where programs of Tekton do, though nobody reads them",
    needs: "files",
    async check(bench) {
      const script = "printf x >> /tekton/termination && cat /tekton/termination";
      const { outcome, lines } = await run(bench, makeJob([{ script }, { script: "printf y >> /tekton/termination" }]));
      expect(outcome, JSON.stringify(lines)).toMatchObject({ status: "succeeded" });
      expect(lines.map(({ text }) => text)).toEqual(["x"]);
    },
  },
  {
    name: "a script runs with the interpreter of its first line, with its arguments, also with Windows line ends",
    async check(bench) {
      const job = makeJob([
        { script: "#!/usr/bin/env node\nconsole.log(process.argv.slice(2).join('|'))", args: ["a b", "$HOME", "*"] },
        { script: "#!/bin/sh\r\nif true\r\nthen\r\n  echo windows\r\nfi\r\n" },
        { script: "#!/bin/sh -u\necho $-" },
        { script: 'echo "plain $1"', args: ["x"] },
        { script: "exec \"$NODE\" -p '1 + 1'" },
      ]);
      const { outcome, texts } = await run(bench, job);
      expect(outcome.message).toBe("");
      expect(texts()).toEqual(["a b|$HOME|*", "windows", expect.stringContaining("u"), "plain x", "2"]);
    },
  },
  {
    name: "a script without a first line stops at the first command that fails",
    async check(bench) {
      const { outcome, texts } = await run(bench, makeJob("echo before\nfalse\necho after"));
      expect(outcome).toMatchObject({ status: "failed", exitCode: 1 });
      expect(texts()).toEqual(["before"]);
    },
  },
  {
    name: "a command runs with its arguments as they are, not through a shell",
    async check(bench) {
      const { texts } = await run(bench, makeJob([{ command: ["printf", "%s\\n"], args: ["$HOME", "a  b", "'q' \"d\" `x`", ""] }]));
      expect(texts()).toEqual(["$HOME", "a  b", "'q' \"d\" `x`", ""]);
    },
  },
  {
    name: "parameters come as variables and as files, whatever is in them",
    once: true,
    async check(bench) {
      const nasty = 'it\'s "quoted" $(id) `id` \\ \n second line é 日本 $';
      const job = makeJob(
        [
          { script: 'printf \'%s\' "$PARAM_SOME_NAME" | od -An -tx1 | tr -d " \\n"; echo' },
          { script: 'od -An -tx1 "$PARAMS_PATH/some.name" | tr -d " \\n"; echo; echo "$PARAM_LIST"; cat "$PARAMS_PATH/list"; echo' },
          { script: 'echo "<$PARAM_EMPTY><$PARAM_NONE><$PARAM_BIG>"; wc -c < "$PARAMS_PATH/big"' },
        ],
        {
          params: [
            { name: "some.name", value: nasty },
            { name: "list", value: [1, "a", { b: null }] },
            { name: "empty", value: "" },
            { name: "none", value: null },
            { name: "big", value: "x".repeat(300_000) },
            { name: "../outside", value: "no file of that name" },
          ],
        },
      );
      const { outcome, texts } = await run(bench, job);
      expect(outcome.message).toBe("");
      const hex = Buffer.from(nasty).toString("hex");
      const list = '[1,"a",{"b":null}]';
      expect(texts().map((text) => text.trim())).toEqual([hex, hex, list, list, "<><><>", "300000"]);
      expect(texts("system").join()).toContain('"big" is too large for an environment variable');
    },
  },
  {
    name: "the environment is what the task says and a few fixed variables, and nothing of the service",
    async check(bench) {
      const job = makeJob(
        [
          {
            script: 'env | sort; echo "dotted: $({ tr "\\0" "\\n" < /proc/self/environ; } 2>/dev/null | grep -c "^dotted.name=x" || true)"',
            env: [
              { name: "OWN", value: "it's mine" },
              { name: "LD_PRELOAD", value: "" },
              { name: "dotted.name", value: "x" },
              { name: "bad=name", value: "x" },
            ],
          },
        ],
        { params: [{ name: "p", value: "v" }], debug: true },
      );
      const { outcome, texts } = await run(bench, job);
      expect(outcome.status).toBe("succeeded");
      // Engines and clusters add the last three themselves.
      const names = texts().map((line) => line.split("=")[0]);
      const known =
        /^(PATH|HOME|TMPDIR|USER|LOGNAME|LANG|CI|DEBUG|NODE|PARAMS_PATH|RESULTS_PATH|MILLRACE_TASK_RUN|PARAM_P|OWN|LD_PRELOAD|dotted\.name|dotted: .*|PWD|SHLVL|_|HOSTNAME|TERM|container)$/;
      expect(names.filter((name) => !known.test(name ?? ""))).toEqual([]);
      expect(texts()).toEqual(expect.arrayContaining(["OWN=it's mine", "PARAM_P=v", "CI=true", "DEBUG=true", "LANG=C.UTF-8"]));
    },
  },
  {
    name: "a step knows the workflows that led to it, to say so where it starts runs",
    once: true,
    async check(bench) {
      const { texts } = await run(bench, makeJob('echo "$MILLRACE_LINEAGE"', { lineage: [firstId, secondId] }));
      expect(texts()).toEqual([`${firstId},${secondId}`]);
    },
  },
  {
    name: "a step runs in its own folder, or where it asks to, which is made when it is missing",
    async check(bench) {
      const job = makeJob([
        { script: 'pwd > where; basename "$(pwd)"; test -w .' },
        { script: "pwd", workingDir: "a/b" },
        { script: "cat ../../where", workingDir: "a/b" },
      ]);
      const { outcome, texts } = await run(bench, job);
      const [name, below, root] = texts();
      expect(outcome.message).toBe("");
      expect(name).toBe("work");
      expect(below).toBe(`${root}/a/b`);
      const refused = await run(bench, makeJob([{ script: "pwd", workingDir: "/proc/nowhere" }]));
      expect(refused.outcome).toMatchObject({ status: "failed", exitCode: 126 });
      expect(refused.texts().join()).toContain("cannot enter the working directory /proc/nowhere");
    },
  },
  {
    name: "a folder of a step that an earlier one has turned into a link is made with the step's rights, and nowhere else",
    needs: "files",
    async check(bench) {
      const job = makeJob([{ script: `rm -rf way; ln -s '${bench.privateDir}' way` }, { script: "pwd", workingDir: "way/made" }]);
      const { outcome } = await run(bench, job);
      // An engine creates it in the step's own copy of its image.
      expect(["succeeded", "failed"]).toContain(outcome.status);
      expect(existsSync(join(bench.privateDir, "made"))).toBe(false);
    },
  },
  {
    name: "bundled programs run where their place says, and can't be changed",
    needs: "programs",
    async check(bench) {
      const place = (...words: string[]): string => bench.executor.place(makeJob("true"), words) ?? "?";
      const folder = place("context", "programs", "path");
      const job = makeJob([{ command: [place("context", "node", "path"), `${folder}/hello.mjs`, "you"] }]);
      expect((await run(bench, job)).texts()).toEqual(["hello you"]);
      if (!bench.promises.files) return;
      const { outcome } = await run(bench, makeJob(`echo x >> '${folder}/hello.mjs'`));
      expect(outcome.status).toBe("failed");
    },
  },
  {
    name: "places are known before the start and are what the steps see",
    once: true,
    async check(bench) {
      const job = makeJob("true", { results: [{ name: "v1.2" }], attempt: 3, workspaces: [] });
      const place = (...words: string[]): string | undefined => bench.executor.place(job, words);
      job.steps = [
        { name: "build", script: `printf x > '${place("results", "v1.2", "path")}'; exit 5`, onError: "continue" },
        { name: "look", script: `cat '${place("steps", "step-build", "exitCode", "path")}'; "$NODE" -p 7` },
      ];
      const { outcome, texts } = await run(bench, job);
      expect(texts()).toEqual(["57"]);
      expect(outcome.results).toEqual([{ name: "v1.2", value: "x" }]);
      expect([place("workspaces", "none", "bound"), place("workspaces", "none", "path")]).toEqual(["false", ""]);
      expect([place("context", "task", "name"), place("context", "task", "retry-count")]).toEqual(["exercise", "2"]);
      expect([place("results", "x"), place("context", "unheard", "of"), place("steps", "x", "results", "y")]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
    },
  },
];
