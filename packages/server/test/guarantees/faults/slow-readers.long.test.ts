import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { type StartedService, startService } from "../../kit/start/start-service.ts";
import { until } from "../../kit/until.ts";

/** Hundreds of connections request a log, as text, as JSON and as changes, and read nothing, while the run keeps writing. */
const folder = mkdtempSync(join(tmpdir(), "slow-readers-"));
let service: StartedService | undefined;
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  service?.process.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
});

const team = "/team/getting-started";
/** A caller may have 200 streams, and reads once more at the end. */
const readers = 190;
/**
 * The memory that they may use together: the budget of all readers, and a few hundred kilobytes for each connection. Before there was a
 * limit, it was 2.4 GB.
 */
const mostGrowthMiB = 400;

interface Run {
  status: string;
  tasks: { id: string; name: string; status: string; attempts?: unknown[] }[];
}

function residentMiB(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024;
}

async function ask(path: string, token: string, accept: string): Promise<Socket> {
  const { hostname, port } = new URL(service!.address);
  const socket = connect({ port: Number(port), host: hostname, onread: { buffer: Buffer.alloc(64), callback: () => false } });
  sockets.push(socket);
  socket.on("error", () => undefined);
  await once(socket, "connect");
  socket.write(`GET /api/v2${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nAccept: ${accept}\r\n\r\n`);
  return socket;
}

test.runIf(process.platform === "linux")(
  "readers that read nothing cost a bounded amount of memory, and no task loses its worker",
  { timeout: 240_000 },
  async () => {
    service = await startService(folder, { MILLRACE_SEED: "true", MILLRACE_LEASE_SECONDS: "10" });
    const { api } = service;
    const token = readFileSync(join(folder, ".millrace/admin-token"), "utf8").trim();
    const line = "head -c 1000000 /dev/urandom | base64 -w 180";
    const script = `i=0; while [ $i -lt 22 ]; do ${line}; i=$((i+1)); done; while [ $i -lt 40 ]; do ${line}; i=$((i+1)); sleep 1; done; echo whole`;
    const task = { name: "work", type: "script", taskRef: "execute-shell", params: [{ name: "script", value: script }] };
    await api("POST", `${team}/workflow`, { name: "loud", tasks: [task] });
    const { id: runId } = await api<{ id: string }>("POST", `${team}/workflow/loud/submit?start=true`, {});
    const read = () => api<Run>("GET", `${team}/workflowrun/${runId}`);
    let id = "";
    await until(async () => {
      id = (await read()).tasks.find(({ name, status }) => name === "work" && status === "running")?.id ?? "";
      if (id === "") return false;
      const page = await fetch(`${service!.address}/api/v2/taskrun/${id}/log?tail=1&follow=false`, {
        headers: { authorization: `Bearer ${token}` },
      });
      return Number(page.headers.get("x-total-lines")) > 200_000;
    }, "the log has tens of megabytes");

    const pid = service.process.pid!;
    const before = residentMiB(pid);
    const kinds: [string, string][] = [
      [`/taskrun/${id}/log`, "text/plain"],
      [`/taskrun/${id}/log?timestamps=true`, "text/plain"],
      [`/taskrun/${id}/log?limit=10000`, "application/json"],
      ["/changes", "text/event-stream"],
    ];
    for (let n = 0; n < readers; n++) await ask(...([kinds[n % 4]![0], token, kinds[n % 4]![1]] as const));
    let most = 0;
    let run = await read();
    await until(async () => {
      most = Math.max(most, residentMiB(pid));
      run = await read();
      return run.status !== "running";
    }, "the run is over");
    expect(run.status).toBe("succeeded");
    expect(run.tasks.find(({ name }) => name === "work")?.attempts?.length ?? 1).toBe(1);
    expect(most - before).toBeLessThan(mostGrowthMiB);

    // A connection that does read gets the complete log, beside those that don't.
    const whole = await fetch(`${service.address}/api/v2/taskrun/${id}/log`, { headers: { authorization: `Bearer ${token}` } });
    expect((await whole.text()).slice(-100)).toMatch(/whole\n$/);
    console.info(`${readers} readers: ${Math.round(before)} MiB before, ${Math.round(most)} MiB at the most`);
  },
);
