import { readdir, readFile } from "node:fs/promises";
import { expect } from "vitest";
import { makeJob, run, type Scenario, startJob, startUntil } from "./scenario.ts";

/** What the step of one team can see of another team's, where both are on the same machine. */
export const neighbourScenarios: Scenario[] = [
  {
    name: "variables have their values whatever their names, and no program has them as arguments",
    once: true,
    async check(bench) {
      const secret = `value-${process.pid}-${Date.now()}`;
      const env = ["with.dot", "with-dash", "UID", "IFS", "PLAIN"].map((name) => ({ name, value: `${secret} '"$HOME\n${name}` }));
      const script =
        '"$NODE" -e \'for (const n of ["with.dot", "with-dash", "IFS", "PLAIN"]) console.log(JSON.stringify(process.env[n]))\'; echo ready; sleep 0.6';
      const { finished } = await startUntil(bench, makeJob([{ script, env }]), "ready");
      const seen = await Promise.all((await readdir("/proc")).map((pid) => readFile(`/proc/${pid}/cmdline`, "latin1").catch(() => "")));
      expect(seen.filter((text) => text.includes(secret))).toEqual([]);
      const { outcome, texts } = await finished;
      expect(outcome).toMatchObject({ status: "succeeded" });
      // A shell may hide variables that it sets itself (IFS) from the programs that it starts, and drop names that it does not know.
      const command = [
        "node",
        "-e",
        'for (const { name } of [{ name: "with.dot" }, { name: "IFS" }]) console.log(JSON.stringify(process.env[name]))',
      ];
      expect(texts().at(-2)).toBe(JSON.stringify(env.at(-1)?.value));
      const direct = await run(bench, makeJob([{ command, env }]));
      if (bench.promises.programs) expect(direct.texts()).toEqual([env[0], env[3]].map((each) => JSON.stringify(each?.value)));
    },
  },
  {
    name: "a step with variables of odd names ends as any other",
    once: true,
    async check(bench) {
      const env = [{ name: "with.dot", value: "1" }];
      const codes = ["exit 7", "kill -SEGV $$", "exec millrace-no-such-program"].map((script) => run(bench, makeJob([{ script, env }])));
      expect((await Promise.all(codes)).map(({ outcome }) => outcome.exitCode)).toEqual([7, 139, 127]);
      const missing = await run(bench, makeJob([{ command: ["millrace-no-such-program"], env }]));
      expect(missing.outcome.status).toBe("failed");
      const job = makeJob([{ script: "trap 'echo last; exit 3' TERM; echo ready; while :; do sleep 0.05; done", env }]);
      const { handle, finished } = await startUntil(bench, job, "ready");
      handle.stop("cancelled", 5_000);
      // Some shells report that a child was terminated.
      expect((await finished).texts().filter((line) => !/^Terminated/.test(line))).toEqual(["ready", "last"]);
    },
  },
  {
    name: "a step reads neither parameters nor environment nor files of another team's step that runs beside it",
    needs: "ownTemporaryFiles",
    async check(bench) {
      const secret = `hidden-${process.pid}-${Date.now()}`;
      const script = 'echo "$PARAM_WORD" | tee own-file > "$TMPDIR/own-file"; echo "ready $$ $PARAMS_PATH $TMPDIR $PWD"; sleep 0.7';
      const job = makeJob(script, { params: [{ name: "word", value: secret }] });
      let reportPlace: (line: string) => void = () => undefined;
      const place = new Promise<string>((resolve) => {
        reportPlace = resolve;
      });
      const { done } = startJob(bench, job, ({ text }) => {
        const [, line] = /^ready (.*)$/m.exec(text.toString()) ?? [];
        if (line !== undefined) reportPlace(line);
      });
      void done.then(({ message }) => reportPlace(message));
      const [pid, params, temp, work] = (await place).split(" ");
      const read = `set +e
        cat ${params}/word ${params}/../steps/environment-step-1 ${temp}/own-file ${work}/own-file 2>/dev/null
        cat /proc/${pid}/environ /proc/${pid}/cwd/own-file /proc/[0-9]*/environ /proc/[0-9]*/cwd/own-file 2>/dev/null | tr '\\0' '\\n'
        true`;
      const { outcome, texts } = await run(bench, makeJob(read, { teamId: "team-2" }));
      await done;
      expect(outcome).toMatchObject({ status: "succeeded" });
      expect(texts().filter((line) => line.includes(secret))).toEqual([]);
    },
  },
  {
    name: "what a step leaves where everyone may write is not for other teams, and does not stay",
    needs: "ownTemporaryFiles",
    async check(bench) {
      const name = `millrace-left-${process.pid}-${Date.now()}`;
      const folders = ["/tmp", "/var/tmp", "/dev/shm"];
      const write = `set +e; for d in ${folders.join(" ")}; do mkdir "$d/${name}" 2>/dev/null && echo a-secret > "$d/${name}/file"; chmod 0 "$d/${name}/file"; chmod 644 "$d/${name}/file"; done
        cat /tmp/${name}/file; echo ready; sleep 0.7`;
      const { finished } = await startUntil(bench, makeJob(write), "ready");
      const read = `cat ${folders.map((folder) => `${folder}/${name}/file`).join(" ")} 2>/dev/null; true`;
      const other = await run(bench, makeJob(read, { teamId: "team-2" }));
      expect(other.texts()).toEqual([]);
      expect((await finished).texts()).toEqual(["a-secret", "ready"]);
      await bench.leftovers();
      const left = await Promise.all(folders.map((folder) => readdir(folder).catch(() => [])));
      expect(left.flat().filter((entry) => entry === name)).toEqual([]);
    },
  },
];
