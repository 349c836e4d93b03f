import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";
import type { BatchV1Api, V1Job } from "@kubernetes/client-node";
import type Docker from "dockerode";

const run = promisify(execFile);

/** The engine's own time for an empty task: from the request to create a container until it is removed. */
export async function bareContainer(docker: Docker, image: string): Promise<void> {
  const limits = { Memory: 2 ** 31, MemorySwap: 2 ** 31, PidsLimit: 512 };
  const container = await docker.createContainer({
    Image: image,
    Cmd: ["sh", "-c", ":"],
    User: "65534:65534",
    HostConfig: { NetworkMode: "none", ReadonlyRootfs: true, CapDrop: ["ALL"], SecurityOpt: ["no-new-privileges"], Init: true, ...limits },
  });
  await container.start();
  await container.wait();
  await container.remove();
}

/** The same on the command line, as a user does it. */
export async function containerByCommand(kind: "docker" | "podman", socketPath: string, image: string): Promise<void> {
  const place = kind === "docker" ? ["--host", `unix://${socketPath}`] : ["--url", `unix://${socketPath}`];
  await run(kind, [...place, "run", "--rm", "--network", "none", image, "sh", "-c", ":"]);
}

/** Its output is discarded, but the engine stores it in its log, as it does for the service. */
export async function printByCommand(kind: "docker" | "podman", socketPath: string, image: string, script: string): Promise<void> {
  const place = kind === "docker" ? ["--host", `unix://${socketPath}`] : ["--url", `unix://${socketPath}`];
  const log =
    kind === "docker" ? ["--log-driver", "local", "--log-opt", "compress=false", "--log-opt", "max-file=1"] : ["--log-driver", "k8s-file"];
  const child = spawn(
    kind,
    [...place, "run", "--rm", "--network", "none", ...log, "--log-opt", "max-size=200m", image, "sh", "-c", script],
    {
      stdio: "ignore",
    },
  );
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${kind} run ended with ${code}`);
}

/** A Job with one pod and one container, from the request until it is Complete. It is removed after the measurement. */
export async function bareJob(batch: BatchV1Api, namespace: string, image: string): Promise<void> {
  const name = `bare-${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`;
  const container = { name: "step", image, command: ["sh", "-c", ":"], imagePullPolicy: "Never" };
  const spec = { restartPolicy: "Never", terminationGracePeriodSeconds: 1, automountServiceAccountToken: false, containers: [container] };
  const body: V1Job = { metadata: { name }, spec: { backoffLimit: 0, template: { spec } } };
  await batch.createNamespacedJob({ namespace, body });
  for (;;) {
    const { status } = await batch.readNamespacedJob({ namespace, name });
    if (status?.failed) throw new Error(`the bare Job ${name} failed`);
    if (status?.conditions?.some(({ type, status: state }) => type === "Complete" && state === "True")) break;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  void batch.deleteNamespacedJob({ namespace, name, propagationPolicy: "Background", gracePeriodSeconds: 0 }).catch(() => undefined);
}
