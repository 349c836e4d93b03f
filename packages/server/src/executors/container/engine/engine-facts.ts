import type { ProgramArchitecture } from "../../steps/machine-program.ts";
import { starterArchitecture } from "../starter/starter.ts";
import type { EngineClient, EngineInfo } from "./engine-client.ts";

/** The kind of an engine and its abilities, as reported by itself. */
export interface EngineFacts {
  kind: "docker" | "podman";
  version: string;
  /** Changes if it is another engine, and stays when the same one comes back. */
  id: string;
  cpus: number;
  isRootless: boolean;
  /** User ids in containers differ from those of files on the machine. */
  hasShiftedUsers: boolean;
  limits: { memory: boolean; swap: boolean; processes: boolean; cpu: boolean; shares: boolean };
  cgroupVersion: string;
  hasSeccomp: boolean;
  /** Whether it reports that a container ran out of memory: Podman can't with version 1 of control groups. */
  canTellOutOfMemory: boolean;
  /** Whether a container can have the engine's init process, which forwards signals and reaps orphaned processes. */
  hasInit: boolean;
  /**
   * The architecture of the program that merges the streams of a step; undefined: the streams are read separately, and their relative order
   * is unknown.
   */
  starter: ProgramArchitecture | undefined;
}

export async function readEngineFacts(client: EngineClient): Promise<EngineFacts> {
  const version = await client.version();
  const components = version.Components?.map(({ Name }) => Name) ?? [];
  const kind = components.some((name) => /podman/i.test(name)) ? "podman" : "docker";
  if (kind === "podman") client.setPodman(Number.parseInt(version.Version, 10));
  const info = await client.info();
  const security = info.SecurityOptions ?? [];
  const has = (name: string): boolean => security.some((option) => option.startsWith(`name=${name}`));
  const isRootless = info.Rootless === true || has("rootless");
  const cgroupVersion = info.CgroupVersion ?? "1";
  return {
    kind,
    version: version.Version,
    id: identify(kind, info),
    cpus: info.NCPU ?? 1,
    isRootless,
    hasShiftedUsers: kind === "docker" && (has("userns") || isRootless),
    limits: limitsOf(info, isRootless && cgroupVersion === "1"),
    cgroupVersion,
    hasSeccomp: has("seccomp"),
    canTellOutOfMemory: kind === "docker" || cgroupVersion === "2",
    hasInit: true,
    starter: starterArchitecture(info.Architecture),
  };
}

/** Podman reports another random id each time; the machine and Podman's storage folder don't change. */
function identify(kind: EngineFacts["kind"], { ID, Name, DockerRootDir }: EngineInfo): string {
  return kind === "docker" && ID ? ID : `${Name ?? ""}:${DockerRootDir ?? ""}`;
}

/** With version 1 of control groups, a rootless engine can't set any limits, and doesn't report that. */
function limitsOf(info: EngineInfo, isPowerless: boolean): EngineFacts["limits"] {
  const holds = (said: boolean | undefined): boolean => said !== false && !isPowerless;
  return {
    memory: holds(info.MemoryLimit),
    swap: holds(info.SwapLimit),
    processes: holds(info.PidsLimit),
    cpu: holds(info.CpuCfsQuota),
    shares: holds(info.CPUShares),
  };
}

interface DescribedEngine {
  facts: EngineFacts;
  address: string;
  outbound: { problem: string | undefined; allowsHostNetwork: boolean };
}

function describeOutbound({ problem, allowsHostNetwork }: DescribedEngine["outbound"]): string {
  if (problem === undefined) return "network outbound: filtered by nft in the network of each attempt";
  if (allowsHostNetwork) return `network outbound: not filtered (${problem}), since MILLRACE_ALLOW_HOST_NETWORK=true`;
  return `network outbound: refused, since it can't be filtered (${problem}); install nft where the engine runs`;
}

/** For people: what it is, and what it can enforce and what not. */
export function describeFacts({ facts, address, outbound }: DescribedEngine): string {
  const { limits } = facts;
  const names = { memory: "memory", processes: "the number of processes", cpu: "processors" } as const;
  const keys = Object.keys(names) as (keyof typeof names)[];
  const held = keys.filter((key) => limits[key]).map((key) => names[key]);
  const open = keys.filter((key) => !limits[key]).map((key) => names[key]);
  const parts = [
    `${facts.kind} ${facts.version}${facts.isRootless ? ", rootless," : ""} at ${address}`,
    ...(held.length > 0 ? [`limited by control groups v${facts.cgroupVersion}: ${held.join(", ")}`] : []),
    ...(open.length > 0 ? [`not limited, since the engine can't: ${open.join(", ")}`] : []),
    ...(facts.hasSeccomp ? [] : ["without a seccomp filter"]),
    ...(facts.hasInit ? [] : ["without an init process: a program that does not handle TERM is killed after its grace period"]),
    ...(facts.starter ? [] : ["output without the order of standard output and standard error, which can't be merged here"]),
    describeOutbound(outbound),
  ];
  return parts.join("; ");
}
