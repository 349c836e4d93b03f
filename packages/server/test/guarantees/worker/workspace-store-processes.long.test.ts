import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { emptyDatabase } from "../../kit/database.ts";
import { startService } from "../../kit/start/start-service.ts";
import { until } from "../../kit/until.ts";

/** Real processes on one database, each with its own data folder, and a folder as the store. */
interface Run {
  id: string;
  status: string;
  tasks: { name: string; status: string; statusMessage: string | null }[];
}

const team = "/team/getting-started";

function tempFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `store-${name}-`));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Ten tasks, each of which adds a line to a file that it must find complete, and a folder that only its owner can read. */
const steps = Array.from({ length: 10 }, (_, index) => ({
  name: `step-${index}`,
  taskRef: "execute-shell",
  ...(index > 0 && { dependencies: [{ taskRef: `step-${index - 1}`, executionCondition: "success" }] }),
  params: [
    { name: "shell", value: "/bin/sh" },
    {
      name: "script",
      value: `set -e; cd /workspace/workflowrun 2>/dev/null || cd "$(echo '$(workspaces.workflowrun.path)')"
        test "$(cat lines 2>/dev/null | sort -u | wc -l)" -ge ${index}
        mkdir -p closed && chmod 700 closed && echo ${index} > closed/last && chmod 500 closed; chmod 700 closed
        echo ${index} >> lines; sleep 0.3`,
    },
  ],
}));

test("runs continue after SIGKILL of a process and the loss of its disk, with the files of every finished task", {
  timeout: 300_000,
}, async () => {
  const { url } = await emptyDatabase();
  const store = tempFolder("archives");
  const start = async (folder: string) => {
    const service = await startService(folder, {
      DATABASE_URL: url,
      MILLRACE_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
      MILLRACE_ADMIN_TOKEN: "an-administrators-token-of-enough-length",
      MILLRACE_ALLOW_UNSANDBOXED: "true",
      MILLRACE_ALLOW_HOST_NETWORK: "true",
      MILLRACE_WORKER_SLOTS: "4",
      MILLRACE_WORKSPACE_STORE: store,
    });
    onTestFinished(async () => void (await service.stop()));
    return service;
  };
  const folders = [tempFolder("one"), tempFolder("two")];
  const [first, second] = [await start(folders[0] as string), await start(folders[1] as string)];
  const workflow = { name: "chain", tasks: steps, workspaces: [{ name: "workflowrun", type: "workflowrun" }] };
  await second.api("POST", `${team}/workflow`, workflow);
  const runs = await Promise.all(Array.from({ length: 8 }, () => second.api<Run>("POST", `${team}/workflow/chain/submit`, {})));
  const archives = () =>
    existsSync(store) ? readdirSync(store, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".gz")).length : 0;
  await until(() => archives() >= 6, "workspaces are archived", 60_000);

  first.process.kill("SIGKILL");
  await once(first.process, "exit");
  rmSync(folders[0] as string, { recursive: true, force: true });

  const open = new Set(runs.map(({ id }) => id));
  const look = async () => {
    const seen = await Promise.all([...open].map((id) => second.api<Run>("GET", `${team}/workflowrun/${id}`)));
    for (const { id, status } of seen) if (status === "succeeded") open.delete(id);
    const failed = seen.filter(({ status }) => ["failed", "invalid", "timedout", "cancelled"].includes(status));
    expect(failed.flatMap(({ tasks }) => tasks.filter(({ status }) => status === "failed"))).toEqual([]);
    return open.size === 0;
  };
  await until(look, "every run succeeds", 120_000);
});
