import { readFile, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { request } from "node:https";
import type { AddressInfo } from "node:net";
import { KubeConfig } from "@kubernetes/client-node";

/** A proxy to an API server on which one call can be held, so that its caller can be killed at exactly that moment. */
export interface ApiGate {
  /** Path of a kubeconfig that leads through the gate. */
  configPath: string;
  /** Resolves when the call is held. It never gets a response. */
  held: Promise<void>;
  close(): void;
}

export interface HeldCall {
  method: string;
  /** End of its path, without the query. */
  path: string;
  /** Either the server never receives it, or the server has done it and only the response is lost. */
  when: "before" | "after";
}

/** @param configPath a kubeconfig whose credentials are a token @param file path for the kubeconfig of the gate */
export async function openApiGate(configPath: string, file: string, call: HeldCall): Promise<ApiGate> {
  const config = new KubeConfig();
  config.loadFromFile(configPath);
  const cluster = config.getCurrentCluster();
  const target: Target = { server: cluster?.server ?? "", ca: await readFile(cluster?.caFile ?? "") };
  let onHeld: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    onHeld = resolve;
  });
  const server = createServer((incoming, answer) => {
    const isHeld = incoming.method === call.method && incoming.url?.split("?")[0]?.endsWith(call.path);
    if (isHeld && call.when === "before") return onHeld();
    passOn(incoming, target, (response) => (isHeld ? onHeld() : giveBack(response, answer)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  // Only programs of this machine can connect, and only a token of the test's own cluster passes through.
  config.clusters = [{ name: cluster?.name ?? "", server: `http://127.0.0.1:${port}`, skipTLSVerify: true }];
  await writeFile(file, config.exportConfig());
  return {
    configPath: file,
    held,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

interface Target {
  server: string;
  ca: Buffer;
}

function passOn(incoming: IncomingMessage, { server, ca }: Target, onAnswer: (response: IncomingMessage) => void): void {
  const { method, headers, url } = incoming;
  const outgoing = request(new URL(url ?? "/", server), { method, headers, ca }, onAnswer);
  // Closes both sides of a call together: a watch does not end otherwise.
  incoming.on("close", () => !incoming.complete && outgoing.destroy());
  outgoing.on("error", () => incoming.socket.destroy());
  incoming.pipe(outgoing);
}

function giveBack(response: IncomingMessage, answer: ServerResponse): void {
  answer.writeHead(response.statusCode ?? 502, response.headers);
  // A watch starts before there is anything to report.
  answer.flushHeaders();
  answer.on("close", () => response.destroy());
  response.pipe(answer);
}
