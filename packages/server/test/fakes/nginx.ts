import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repositoryRoot } from "../../src/base/file/repository-root.ts";
import { freePort } from "../kit/free-port.ts";
import { until } from "../kit/until.ts";

/** A real nginx with TLS and the configuration that is shipped as deploy/nginx/millrace.conf, in front of a server. */
export interface Nginx {
  port: number;
  /** The certificate that it presents, for clients. */
  ca: string;
  stop(): Promise<void>;
}

const program = "/usr/sbin/nginx";
export const hasNginx = spawnSync(program, ["-v"]).status === 0 && spawnSync("openssl", ["version"]).status === 0;
export const whyNoNginx = "nginx and openssl are needed (Debian: apt-get install nginx-light openssl)";

/** The shipped file, with the paths and addresses of this test. Fails if the file differs from what is expected or from the page. */
function shipped(folder: string, port: number, upstream: number, readTimeout: string): string {
  const config = readFileSync(join(repositoryRoot, "deploy/nginx/millrace.conf"), "utf8");
  const page = readFileSync(join(repositoryRoot, "docs/reverse-proxy.md"), "utf8");
  const shown = /```nginx\n([\s\S]*?)```/.exec(page)?.[1];
  if (shown !== config) throw new Error("docs/reverse-proxy.md shows something else than deploy/nginx/millrace.conf");
  const places: [string, string][] = [
    ["127.0.0.1:8080", `127.0.0.1:${upstream}`],
    ["listen 443 ssl", `listen 127.0.0.1:${port} ssl`],
    ["/etc/nginx/millrace.crt", join(folder, "crt")],
    ["/etc/nginx/millrace.key", join(folder, "key")],
    ["proxy_read_timeout 1h", `proxy_read_timeout ${readTimeout}`],
  ];
  return places.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`deploy/nginx/millrace.conf no longer says ${from}`);
    return text.replace(from, to);
  }, config);
}

/** @param readTimeout replaces the value in the file */
export async function startNginx(upstream: number, readTimeout = "1h"): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), "nginx-"));
  chmodSync(folder, 0o755);
  const port = await freePort();
  const names = ["-subj", "/CN=millrace.example.com", "-addext", "subjectAltName=DNS:millrace.example.com"];
  const files = ["-keyout", join(folder, "key"), "-out", join(folder, "crt")];
  const made = spawnSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...names, ...files]);
  if (made.status !== 0) throw new Error(`openssl: ${made.stderr}`);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((kind) => `${kind}_temp_path ${join(folder, kind)};`);
  const main = [`pid ${join(folder, "pid")};`, "daemon off;", `error_log ${join(folder, "error")};`, "events {}"];
  const http = ["http {", "access_log off;", ...temporary, shipped(folder, port, upstream, readTimeout), "}"];
  writeFileSync(join(folder, "conf"), [...main, ...http, ""].join("\n"));
  const child = spawn(program, ["-c", join(folder, "conf"), "-e", join(folder, "error")], { stdio: "ignore" });
  const stop = async () => {
    await end(child);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await until(() => answers(child, port, join(folder, "error")), "nginx listens", 15_000);
  } catch (error) {
    await stop();
    throw error;
  }
  return { port, ca: readFileSync(join(folder, "crt"), "utf8"), stop };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

function answers(child: ChildProcess, port: number, log: string): Promise<boolean> {
  if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}: ${readFileSync(log, "utf8")}`);
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
