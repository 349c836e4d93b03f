import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../kit/until.ts";

/** Whether versitygw, an S3 server that keeps objects as files, is installed (`.ci/prepare`). */
export const hasS3Server = spawnSync("versitygw", ["--version"]).status === 0;

export interface S3Server {
  endpoint: string;
  /** The folder with the objects of its only bucket, `bucket`, as files. */
  folder: string;
  /** Variables for its clients. */
  credentials: { AWS_ACCESS_KEY_ID: string; AWS_SECRET_ACCESS_KEY: string };
  stop(): void;
}

export async function startS3Server(): Promise<S3Server> {
  const root = mkdtempSync(join(tmpdir(), "s3-"));
  const folder = join(root, "bucket");
  mkdirSync(folder);
  const port = await freePort();
  const credentials = { AWS_ACCESS_KEY_ID: "tester", AWS_SECRET_ACCESS_KEY: "a-secret-of-the-tests" };
  const args = ["--access", credentials.AWS_ACCESS_KEY_ID, "--secret", credentials.AWS_SECRET_ACCESS_KEY, "--port", `127.0.0.1:${port}`];
  const server = spawn("versitygw", [...args, "posix", root], { stdio: "ignore" });
  const endpoint = `http://127.0.0.1:${port}`;
  const answers = () =>
    fetch(endpoint).then(
      () => true,
      () => false,
    );
  await until(answers, "the S3 server answers", 20_000);
  return {
    endpoint,
    folder,
    credentials,
    stop() {
      server.kill("SIGKILL");
      rmSync(root, { recursive: true, force: true });
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
