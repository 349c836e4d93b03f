import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { ContainerEngine } from "./container-engine.ts";

/** A registry that only the engine of the test reaches: on the loopback of its network. */
export interface TestRegistry {
  /** Host and port, as images name it. */
  host: string;
  /** Of the one image that it has. */
  digest: string;
  /** What it takes for repositories below `closed/`. */
  credentials: { username: string; password: string };
  /** `GET /v2/…` for each request so far. */
  requests: string[];
  close(): void;
}

const port = 5000;

export async function startTestRegistry(engine: ContainerEngine): Promise<TestRegistry> {
  const program = fileURLToPath(new URL("registry-stand-in.mjs", import.meta.url));
  const command = [`--net=/run/netns/${engine.networkName}`, process.execPath, program, String(port)];
  const child = spawn("nsenter", command, { stdio: ["ignore", "pipe", "inherit"] });
  const requests: string[] = [];
  const digest = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      for (const line of text.trim().split("\n")) {
        if (line.startsWith("ready ")) resolve(line.slice(6));
        else requests.push(line);
      }
    });
    child.on("exit", (code) => reject(new Error(`the registry ended with exit code ${code}`)));
  });
  return {
    host: `127.0.0.1:${port}`,
    digest,
    credentials: { username: "reader", password: "s3cr3t-of-the-registry" },
    requests,
    close: () => void child.kill("SIGKILL"),
  };
}
