import { once } from "node:events";
import { createServer } from "node:net";
import { listenRemedy, localAddress } from "../base/network/listen-address.ts";
import type { Check } from "./check.ts";

/** @param setting that holds the port */
export interface Port {
  host: string;
  port: number;
  setting: string;
}

/** Whether the service can listen there. If a Millrace does already, that is no problem of the machine. */
export async function checkPort({ host, port, setting }: Port): Promise<Check> {
  const name = "port";
  const address = localAddress(host, port);
  if (port === 0) return { name, status: "ok", message: `the system chooses a free one (${setting}=0)` };
  const code = await tryToListen(host, port);
  if (code === undefined) return { name, status: "ok", message: `${address} is free` };
  const [first = "", ...rest] = listenRemedy(code, setting);
  const remedy = [first.toUpperCase(), ...rest].join("");
  if (code === "EADDRINUSE" && (await isMillrace(address)))
    return { name, status: "warning", message: `a running Millrace responds at ${address}`, remedy };
  return { name, status: "problem", message: `Cannot listen on ${host}:${port} (${code})`, remedy };
}

async function tryToListen(host: string, port: number): Promise<string | undefined> {
  const server = createServer();
  try {
    server.listen({ host, port });
    await once(server, "listening");
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  } finally {
    server.close();
  }
}

async function isMillrace(address: string): Promise<boolean> {
  try {
    const response = await fetch(`${address}/health`, { signal: AbortSignal.timeout(2_000), redirect: "error" });
    const health = (await response.json()) as object;
    return "status" in health && "database" in health;
  } catch {
    return false;
  }
}
