import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { repositoryRoot } from "../../../src/base/file/repository-root.ts";
import { startForgeContainer } from "../../fakes/forge-server.ts";
import { catalogueBench } from "../../kit/catalogue/catalogue-bench.ts";
import { catalogueImages, makeCatalogueImages } from "../../kit/catalogue/catalogue-images.ts";
import type { CatalogueBench } from "../../kit/catalogue/catalogue-tasks.ts";
import { type ContainerEngine, startContainerEngine } from "../../kit/container/container-engine.ts";
import { taskImage } from "../../kit/container/task-image.ts";
import { until } from "../../kit/until.ts";
import { containerEnvironment } from "../../kit/worker/executor-environment.ts";

/**
 * Unchanged documents of the public catalogue, with the workflow of docs/tekton-catalogue.md, against a Git server, a mail server, and
 * images with the same programs as the images of the catalogue. Runs with the cluster tests, because Go builds one of these programs.
 */
const catalogue = join(repositoryRoot, "../shared/data/tekton-catalog");
const page = readFileSync(join(repositoryRoot, "docs/tekton-catalogue.md"), "utf8");
const [secrets, workflow] = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text]) => JSON.parse(text as string));
const mail = { host: "198.18.77.8", user: "ci", password: "word-of-the-mail-server" };

interface Run {
  status: string;
  tasks: { id: string; name: string; status: string; statusMessage?: string; results: { name: string; value: unknown }[] }[];
}

describe.skipIf(!existsSync(catalogue))("tasks of the public catalogue", () => {
  const closers: (() => unknown)[] = [];
  const mails: { user: string; to: string[]; text: string }[] = [];
  let bench: CatalogueBench;
  let mailPort: string;

  beforeAll(async () => {
    const image = await taskImage();
    const engine = await startContainerEngine("docker");
    if ("why" in engine) throw new Error(engine.why);
    closers.push(() => engine.close());
    await engine.importImage(image.tar, image.name);
    await makeCatalogueImages(engine);
    const forge = await startForgeContainer(engine, image.name);
    closers.push(() => forge.stop());
    mailPort = await startMailServer(engine);
    const allowed = { MILLRACE_TASK_OUTBOUND_ALLOW: `${new URL(forge.url).host},${mail.host}:${mailPort}` };
    const opened = await catalogueBench({ ...containerEnvironment(engine), ...allowed }, { image: image.name, forge });
    closers.push(() => opened.stop());
    bench = opened;
  }, 600_000);
  afterAll(async () => {
    for (const close of closers.reverse()) await close();
  });

  /** In the network of the engine, which has no route to this machine. */
  async function startMailServer(engine: ContainerEngine): Promise<string> {
    const inside = ["nsenter", `--net=/run/netns/${engine.networkName}`];
    await promisify(execFile)("setpriv", ["--", ...inside, "ip", "address", "add", `${mail.host}/32`, "dev", "lo"]);
    const program = join(repositoryRoot, "packages/server/test/fakes/mail-program.mjs");
    const child = spawn("setpriv", ["--pdeathsig", "KILL", ...inside, process.execPath, program], {
      env: { PATH: process.env["PATH"], MAIL_HOST: mail.host, MAIL_USER: mail.user, MAIL_PASSWORD: mail.password },
      stdio: ["ignore", "pipe", "inherit"],
    });
    closers.push(() => child.kill("SIGKILL"));
    const [said] = (await once(child.stdout, "data")) as [Buffer];
    child.stdout.on("data", (line) => mails.push(JSON.parse(String(line))));
    return /ready (\d+)/.exec(said.toString())?.[1] as string;
  }

  /** The team's own values that replace those of the page. */
  function ownWorkflow(): object {
    const own: Record<string, string> = { url: `${bench.forge.url}/sample.git` };
    const added: Record<string, object[]> = {
      clone: [
        { name: "gitInitImage", value: catalogueImages.gitInit },
        { name: "revision", value: "npm" },
      ],
      test: [{ name: "IMAGE", value: catalogueImages.npm }],
    };
    const tasks = workflow.tasks.map((task: { name: string; params: { name: string; value: unknown }[] }) => {
      const params = task.params.map(({ name, value }) => ({ name, value: own[name] ?? value }));
      return { ...task, params: [...params, ...(added[task.name] ?? [])] };
    });
    return { ...workflow, tasks };
  }

  test("clone a repository, run its tests, and send an email with the commit", { timeout: 240_000 }, async () => {
    const { api, team } = bench;
    for (const name of ["git-clone", "npm", "sendmail"]) {
      const text = readFileSync(join(catalogue, `${name}.yaml`), "utf8");
      // This task's image is fixed by its digest and is not a parameter.
      const own = text.replace(/image: docker\.io\/library\/python\S+/, `image: ${catalogueImages.python}`);
      await api("POST", `${team}/task`, own, "application/yaml");
    }
    const [secret] = secrets.parameters;
    const value = { ...secret.value, url: mail.host, port: mailPort, user: mail.user, password: mail.password, tls: "False" };
    await api("PATCH", team, { parameters: [{ ...secret, value }] });
    await api("PUT", `${team}/workflow`, ownWorkflow());
    const { id } = (await api("POST", `${team}/workflow/build/submit?start=true`, {})) as { id: string };
    let run: Run = { status: "running", tasks: [] };
    await until(
      async () => {
        run = (await api("GET", `${team}/workflowrun/${id}`)) as Run;
        return !["notstarted", "ready", "running", "waiting"].includes(run.status);
      },
      "the run is over",
      200_000,
    );
    const logs = await Promise.all(
      run.tasks.map(async (task) => `${task.name} ${task.status}\n${await api("GET", `/api/v2/taskrun/${task.id}/log`)}`),
    );
    expect(run.status, logs.join("\n")).toBe("succeeded");
    const commit = run.tasks.find(({ name }) => name === "clone")?.results.find(({ name }) => name === "commit")?.value;
    expect(commit).toMatch(/^[0-9a-f]{40}$/);
    expect(logs.join("\n")).toContain("# pass 2");
    expect(mails).toEqual([
      { user: mail.user, to: ["ada@example.org"], text: expect.stringMatching(new RegExp(`^Subject: Tested\\n[^]*Commit ${commit}`)) },
    ]);
    expect(logs.join("\n")).not.toContain(mail.password);
  });
});
