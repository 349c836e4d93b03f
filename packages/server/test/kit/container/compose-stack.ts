import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Container, ContainerCreateOptions } from "dockerode";
import { parse } from "yaml";
import { until } from "../until.ts";
import type { ContainerEngine } from "./container-engine.ts";

/**
 * `docker compose up`, as far as the files in deploy/docker need it, since not every distribution has the plug-in: each member of a file
 * becomes the option of the engine's API that Compose translates it to, and a member that is unknown here is an error.
 */
export interface ComposeStack {
  container(name: string): Container;
  /** Removes everything, also the volumes. */
  down(): Promise<void>;
}

interface Service {
  image: string;
  environment?: Record<string, string>;
  depends_on?: Record<string, { condition: "service_healthy" }>;
  healthcheck?: { test: string[]; interval: string; timeout: string; retries: number };
  ports?: string[];
  networks?: string[];
  volumes?: string[];
  read_only?: boolean;
  tmpfs?: string[];
  cap_drop?: string[];
  security_opt?: string[];
  shm_size?: string;
  stop_grace_period?: string;
  /** Members that a test does not need: it builds the image itself, and restarts nothing. */
  build?: object;
  restart?: string;
}

const known = new Set(
  "image environment depends_on healthcheck ports networks volumes read_only tmpfs cap_drop security_opt shm_size stop_grace_period build restart".split(
    " ",
  ),
);

interface ComposeFile {
  name: string;
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean }>;
  volumes: Record<string, object>;
}

/**
 * @param files in one folder; later ones extend the first
 * @param env the content of `.env`
 * @param scale the number of containers of a service, if not one
 */
export async function composeUp(
  engine: ContainerEngine,
  files: readonly string[],
  env: Record<string, string>,
  scale: Record<string, number> = {},
): Promise<ComposeStack> {
  const project = files.map((file) => interpolate(parse(readFileSync(file, "utf8")), env) as ComposeFile).reduce(merge);
  const { docker } = engine;
  const containers = new Map<string, Container>();
  const down = async () => {
    for (const container of containers.values()) await container.remove({ force: true, v: true });
    for (const name of Object.keys(project.networks)) await docker.getNetwork(`${project.name}_${name}`).remove();
    for (const name of Object.keys(project.volumes)) await docker.getVolume(`${project.name}_${name}`).remove();
  };
  for (const [name, { internal }] of Object.entries(project.networks))
    await docker.createNetwork({ Name: `${project.name}_${name}`, Internal: internal === true });
  for (const name of Object.keys(project.volumes)) await docker.createVolume({ Name: `${project.name}_${name}` });
  const start = async (name: string): Promise<void> => {
    const service = project.services[name]!;
    if (containers.has(`${name}-1`)) return;
    for (const other of Object.keys(service.depends_on ?? {})) {
      await start(other);
      await healthy(containers.get(`${other}-1`)!, other);
    }
    for (let number = 1; number <= (scale[name] ?? 1); number++) {
      const container = await docker.createContainer(optionsOf(project, name, number, dirname(files[0]!)));
      containers.set(`${name}-${number}`, container);
      for (const network of (service.networks ?? []).slice(1))
        await docker.getNetwork(`${project.name}_${network}`).connect({ Container: container.id, EndpointConfig: { Aliases: [name] } });
      await container.start();
    }
  };
  for (const name of Object.keys(project.services)) await start(name);
  return { container: (name) => containers.get(name)!, down };
}

export async function healthy(container: Container, name: string): Promise<void> {
  await until(
    async () => {
      const { State } = await container.inspect();
      if (!State.Running)
        throw new Error(`${name} has ended with ${State.ExitCode}: ${await container.logs({ stdout: true, stderr: true })}`);
      return State.Health?.Status === "healthy";
    },
    `${name} is healthy`,
    120_000,
  );
}

/** Substitutes in the parsed values, not in the text: a variable may contain anything. */
function interpolate(value: unknown, env: Record<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => interpolate(item, env));
  if (value !== null && typeof value === "object")
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, interpolate(item, env)]));
  if (typeof value !== "string") return value;
  return value.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind: string | undefined, rest = "") => {
    const found = env[name] ?? "";
    if (found === "" && kind === "?") throw new Error(`${name}: ${rest}`);
    return found === "" && kind === "-" ? rest : found;
  });
}

function merge(base: ComposeFile, more: ComposeFile): ComposeFile {
  const services = { ...base.services };
  for (const [name, service] of Object.entries(more.services)) {
    const environment = { ...services[name]?.environment, ...service.environment };
    services[name] = { ...services[name], ...service, environment };
  }
  return { ...base, services, networks: { ...base.networks, ...more.networks }, volumes: { ...base.volumes, ...more.volumes } };
}

function optionsOf(project: ComposeFile, name: string, number: number, folder: string): ContainerCreateOptions {
  const service = project.services[name]!;
  const strange = Object.keys(service).filter((member) => !known.has(member));
  if (strange.length > 0) throw new Error(`unknown in a test: ${strange.join()} of the service ${name}`);
  const [network = ""] = service.networks ?? [];
  const volumes = (service.volumes ?? []).map((volume) => volume.split(":"));
  const ports = (service.ports ?? []).map((port) => port.split(":") as [string, string, string]);
  return {
    name: `${project.name}-${name}-${number}`,
    Image: service.image,
    Env: Object.entries(service.environment ?? {}).map(([key, value]) => `${key}=${value}`),
    ...(service.healthcheck && { Healthcheck: healthOf(service.healthcheck) }),
    ...(service.stop_grace_period && { StopTimeout: nanoseconds(service.stop_grace_period) / 1e9 }),
    Volumes: Object.fromEntries(volumes.filter(({ length }) => length === 1).map(([path]) => [path, {}])),
    ExposedPorts: Object.fromEntries(ports.map(([, , inside]) => [`${inside}/tcp`, {}])),
    NetworkingConfig: { EndpointsConfig: { [`${project.name}_${network}`]: { Aliases: [name] } } },
    HostConfig: {
      NetworkMode: `${project.name}_${network}`,
      Binds: volumes.filter(({ length }) => length > 1).map(([source, target]) => `${project.name}_${source}:${target}`),
      PortBindings: Object.fromEntries(ports.map(([ip, outside, inside]) => [`${inside}/tcp`, [{ HostIp: ip, HostPort: outside }]])),
      ReadonlyRootfs: service.read_only === true,
      Tmpfs: Object.fromEntries((service.tmpfs ?? []).map((path) => [path, ""])),
      CapDrop: service.cap_drop ?? [],
      SecurityOpt: (service.security_opt ?? []).map((option) => securityOption(option, folder)),
      ...(service.shm_size && { ShmSize: Number.parseInt(service.shm_size, 10) * 1_048_576 }),
    },
  };
}

/** The engine's API takes the content of a profile, which Compose reads from the folder of the first file. */
function securityOption(option: string, folder: string): string {
  const [key, value = ""] = option.split(":");
  return key === "seccomp" ? `seccomp=${readFileSync(join(folder, value), "utf8")}` : `${key}=${value}`;
}

function healthOf({ test, interval, timeout, retries }: NonNullable<Service["healthcheck"]>) {
  return { Test: test, Interval: nanoseconds(interval), Timeout: nanoseconds(timeout), Retries: retries };
}

function nanoseconds(text: string): number {
  const [, count, unit] = /^(\d+)(s|m)$/.exec(text) ?? [];
  if (count === undefined) throw new Error(`not a duration: ${text}`);
  return Number(count) * (unit === "m" ? 60 : 1) * 1e9;
}
