import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** A registry of the test's own, with one image. */
export interface ImageRegistry {
  /** Address and port, as used in image names. */
  host: string;
  /** `http://ADDRESS:PORT` */
  url: string;
  /** Digest of the image's manifest. */
  digest: string;
  /** `GET /v2/…` for each request so far. */
  requests: string[];
  /** Those for one repository: an engine may still be requesting an image that another test has given up on. */
  requestsFor(repository: string): string[];
  /** How often a manifest was served. */
  pulls(): number;
  close(): Promise<void>;
}

interface RegistryOptions {
  /** To listen on. */
  address: string;
  /** Default: any that is free. */
  port?: number;
  /** Name of the network namespace in which it runs; by default this machine's. */
  network?: string;
  /** Tar of the file system of its image; by default an empty one. */
  tar?: string;
  /** `user:password`, for repositories below `closed/`; absent: anyone may pull everything. */
  credentials?: string;
  /** All repositories require the credentials. */
  isClosed?: boolean;
}

const program = fileURLToPath(new URL("./image-registry-program.mjs", import.meta.url));

/** Its repositories are listed in the program. */
export async function startImageRegistry({ network, port = 0, isClosed = false, ...options }: RegistryOptions): Promise<ImageRegistry> {
  const command = [process.execPath, program, JSON.stringify({ ...options, port, isClosed })];
  const [file = "", ...args] = network === undefined ? command : ["nsenter", `--net=/run/netns/${network}`, ...command];
  const child = spawn(file, args, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  const requests: string[] = [];
  const [taken, digest] = await new Promise<string[]>((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      for (const line of text.trim().split("\n")) {
        if (line.startsWith("ready ")) resolve(line.slice(6).split(" "));
        else requests.push(line);
      }
    });
    child.on("exit", (code) => reject(new Error(`the registry ended with exit code ${code}`)));
  });
  const host = `${options.address}:${taken}`;
  const close = async () => {
    child.kill("SIGKILL");
    await ended;
  };
  const requestsFor = (repository: string) => requests.filter((line) => line.includes(` /v2/${repository}/`));
  const pulls = () => requests.filter((line) => /^GET .*\/manifests\//.test(line)).length;
  return { host, url: `http://${host}`, digest: digest ?? "", requests, requestsFor, pulls, close };
}
