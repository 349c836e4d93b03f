import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { type StartedService, startService } from "../../kit/start/start-service.ts";
import { until } from "../../kit/until.ts";

/** The disk of the embedded database fills up while the service runs. The test mounts a small disk of its own, which needs root. */
const folder = mkdtempSync(join(tmpdir(), "full-disk-"));
let service: StartedService | undefined;
afterEach(() => {
  service?.process.kill("SIGKILL");
  if (isMounted) execFileSync("umount", ["--lazy", folder]);
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
});

const isMounted = (() => {
  if (process.getuid?.() !== 0) return false;
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=256m,mode=755", "tmpfs", folder], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();
if (!isMounted) console.info("skipped: only root may mount a small disk");

function fill(path: string): void {
  const file = openSync(path, "w");
  try {
    for (const size of [1 << 20, 1 << 12]) writeUntilFull(file, Buffer.alloc(size));
  } finally {
    closeSync(file);
  }
}

function writeUntilFull(file: number, piece: Buffer): void {
  try {
    while (writeSync(file, piece) === piece.length);
  } catch (error) {
    expect(error).toMatchObject({ code: "ENOSPC" });
  }
}

test.skipIf(!isMounted)(
  "a full disk of the database is named to callers, probes and operator, and ends without a restart",
  { timeout: 120_000 },
  async () => {
    service = await startService(folder, { MILLRACE_SEED: "true" });
    const { address } = service;
    let log = "";
    service.process.stdout!.on("data", (part: Buffer) => {
      log += part.toString();
    });
    const token = readFileSync(join(folder, ".millrace/admin-token"), "utf8").trim();
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const submit = () =>
      fetch(`${address}/api/v2/team/getting-started/workflow/hello-chain/submit?start=true`, { method: "POST", headers, body: "{}" });
    const get = async (path: string) => {
      const answer = await fetch(address + path, { headers });
      return { status: answer.status, body: (await answer.json()) as { status: string } };
    };
    expect(await get("/health")).toMatchObject({ body: { status: "up", database: "up" } });

    fill(join(folder, "fill"));
    expect(await get("/ready")).toMatchObject({ status: 503, body: { reason: "DATABASE_FULL" } });
    let refused = await submit();
    // Writes that fit into existing pages still succeed.
    await until(async () => {
      refused = await submit();
      return refused.status === 503;
    }, "a run does not fit any more");
    expect(refused.headers.get("retry-after")).toBe("30");
    expect(await refused.json()).toMatchObject({
      reason: "DATABASE_FULL",
      message: expect.stringContaining("The disk of the database is full"),
    });
    for (let n = 0; n < 20; n++) expect((await submit()).status).toBe(503);
    expect(await get("/health")).toMatchObject({ status: 200, body: { status: "degraded", database: "full" } });
    expect((await get("/api/v2/context")).body).toMatchObject({ platformMessage: { title: "Changes are not possible" } });

    rmSync(join(folder, "fill"));
    await until(async () => (await get("/ready")).status === 200, "it is ready again");
    const { id } = (await (await submit()).json()) as { id: string };
    await until(async () => (await get(`/api/v2/team/getting-started/workflowrun/${id}`)).body.status === "succeeded", "the run succeeds");
    const warnings = log.split("\n").filter((line) => /"level":"(?:warn|error)"/.test(line));
    expect(warnings.filter((line) => line.includes("the disk of the database is full")).map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ folder: join(folder, ".millrace/postgres"), freeMiB: expect.any(Number) }),
    ]);
    expect(warnings.filter((line) => line.includes('"stack"'))).toEqual([]);
    expect(log).toContain("the database accepts changes again");
  },
);
