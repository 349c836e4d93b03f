import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { repositoryRoot } from "../../../src/base/file/repository-root.ts";

const folder = mkdtempSync(join(tmpdir(), "millrace-early-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a stop signal while the service still waits for its database ends it successfully, without an error message", async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => void sockets.push(socket.on("error", () => undefined))).listen(0, "127.0.0.1");
  await once(silent, "listening");
  const asked = once(silent, "connection");
  const service = spawn(process.execPath, [join(repositoryRoot, "scripts/start.mjs")], {
    cwd: repositoryRoot,
    env: {
      PATH: process.env["PATH"],
      HOME: folder,
      MILLRACE_PORT: "0",
      MILLRACE_DATA_DIR: join(folder, ".millrace"),
      MILLRACE_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
      DATABASE_URL: `postgres://nobody@127.0.0.1:${(silent.address() as AddressInfo).port}/none`,
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => {
    service.kill("SIGKILL");
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  let errors = "";
  service.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const ended = once(service, "close");
  await asked;
  service.kill("SIGTERM");
  expect([(await ended)[0], errors]).toEqual([0, ""]);
});
