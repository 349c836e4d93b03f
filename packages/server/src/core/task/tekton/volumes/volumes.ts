import type { Volume } from "@millrace/contract/task/task.ts";
import type { ErrorDetail } from "../../../../base/error/app-error.ts";
import type { EnvKind } from "../env-sources.ts";
import { parseQuantity } from "../step-resources.ts";

/**
 * The volumes that steps can mount, as in Kubernetes: `emptyDir` is a folder that the steps of a task share; `secret`, `configMap` and
 * `projected` are files with the contents of the parameters that `env-sources.ts` describes. All other kinds give access to a machine or a
 * cluster beyond the task, so they are refused; for files that should persist, there are workspaces.
 */
export type VolumeSource = ScratchVolume | FilesVolume;

export interface ScratchVolume {
  kind: "scratch";
  /** Kept in memory, if an executor can share that among steps. */
  inMemory: boolean;
  sizeLimitBytes?: number;
}

export interface FilesVolume {
  kind: "files";
  sources: FileSource[];
  defaultMode: number;
}

/** A Secret or a ConfigMap, or some keys of it. */
export interface FileSource {
  kind: EnvKind;
  name: string;
  /** Absent: each key is a file of its name. */
  items?: { key: string; path: string; mode?: number }[];
  isOptional: boolean;
}

/**
 * Masks secrets in a text. Text that a message quotes or cuts is masked first: a part of a secret, or an escaped one, would not be found
 * later.
 */
export type MaskText = (text: string) => string;

export function quoteMasked(text: string, mask: MaskText): string {
  return JSON.stringify(mask(text).slice(0, 80));
}

const defaultFileMode = 0o644;
/** More items would cost time in every attempt. */
const maxItems = 1_000;
const maxSources = 100;

const kinds = ["emptyDir", "secret", "configMap", "projected"] as const;
type Kind = (typeof kinds)[number];

type Fault = { fault: ErrorDetail };
type Members = Record<string, unknown>;

/** As in Kubernetes, a member without a value counts as absent. */
function sourcesOf(volume: Volume): string[] {
  return Object.keys(volume).filter((member) => member !== "name" && volume[member] != null);
}

/** The kind of a volume that can't be mounted; undefined: it can be. */
export function foreignVolume(volume: Volume): string | undefined {
  const foreign = sourcesOf(volume).find((member) => !(kinds as readonly string[]).includes(member));
  if (foreign !== undefined || volume["projected"] == null) return foreign;
  const projected = asList(asMembers(volume["projected"])["sources"]).flatMap((source) => Object.keys(asMembers(source)));
  const odd = projected.find((member) => member !== "secret" && member !== "configMap");
  return odd === undefined ? undefined : `projected.${odd}`;
}

/** Problems with a volume as written; `path` is its place in the document. */
export function volumeFaults(volume: Volume, path: string): ErrorDetail[] {
  if (foreignVolume(volume) !== undefined) return [];
  const read = readVolume(volume, path);
  return "fault" in read ? [read.fault] : [];
}

/** @param path for faults */
export function readVolume(volume: Volume, path = ""): VolumeSource | Fault {
  const [member, ...others] = sourcesOf(volume);
  if (others.length > 0) return wrong(path, `has both ${member} and ${others[0]}; a volume has one of them`);
  // Kubernetes treats a volume without a source as an emptyDir.
  if (member === undefined) return { kind: "scratch", inMemory: false };
  const foreign = foreignVolume(volume);
  if (foreign !== undefined) return wrong(path, `is ${foreign}, which no executor has`);
  const source = volume[member];
  const at = `${path}/${member}`;
  if (typeof source !== "object" || Array.isArray(source)) return wrong(at, "must be an object");
  return readers[member as Kind](source as Members, at);
}

const readers: Record<Kind, (source: Members, path: string) => VolumeSource | Fault> = {
  emptyDir: readScratch,
  secret: (source, path) => readSingle("secret", "secretName", source, path),
  configMap: (source, path) => readSingle("config", "name", source, path),
  projected: readProjected,
};

function readScratch(source: Members, path: string): VolumeSource | Fault {
  const odd = unknownMember(source, ["medium", "sizeLimit"], path);
  if (odd) return odd;
  const { medium, sizeLimit } = source;
  if (medium != null && medium !== "" && medium !== "Memory")
    return wrong(`${path}/medium`, `is ${shown(medium)}; it must be Memory, or left out`);
  // As in Kubernetes, 0 means no limit.
  const isUnlimited = sizeLimit == null || /^\s*\+?0+(\.0*)?([eE][+-]?\d{1,2}|[numkMGTPE]|[KMGTPE]i)?\s*$/.test(String(sizeLimit));
  const sizeLimitBytes = isUnlimited ? undefined : parseQuantity(sizeLimit);
  if (!isUnlimited && sizeLimitBytes === undefined)
    return wrong(`${path}/sizeLimit`, `is ${shown(sizeLimit)}; it must be a quantity such as 512Mi or 1Gi`);
  return { kind: "scratch", inMemory: medium === "Memory", ...(sizeLimitBytes !== undefined && { sizeLimitBytes }) };
}

function readSingle(kind: EnvKind, naming: string, source: Members, path: string): VolumeSource | Fault {
  const odd = unknownMember(source, [naming, "items", "optional", "defaultMode"], path);
  if (odd) return odd;
  const mode = readMode(source["defaultMode"], `${path}/defaultMode`);
  if (typeof mode === "object") return mode;
  const file = readSource(kind, naming, source, path);
  return "fault" in file ? file : { kind: "files", sources: [file], defaultMode: mode ?? defaultFileMode };
}

function readProjected(source: Members, path: string): VolumeSource | Fault {
  const odd = unknownMember(source, ["sources", "defaultMode"], path);
  if (odd) return odd;
  const mode = readMode(source["defaultMode"], `${path}/defaultMode`);
  if (typeof mode === "object") return mode;
  const list = source["sources"];
  if (!Array.isArray(list) || list.length > maxSources)
    return wrong(`${path}/sources`, `must be a list of secret and configMap, with at most ${maxSources} entries`);
  const sources: FileSource[] = [];
  for (const [index, entry] of list.entries()) {
    const at = `${path}/sources/${index}`;
    const [member, ...others] = Object.keys(asMembers(entry));
    if (member === undefined || others.length > 0) return wrong(at, "must have one of secret and configMap");
    const members = asMembers(asMembers(entry)[member]);
    const unknown = unknownMember(members, ["name", "items", "optional"], `${at}/${member}`);
    if (unknown) return unknown;
    const read = readSource(member === "secret" ? "secret" : "config", "name", members, `${at}/${member}`);
    if ("fault" in read) return read;
    sources.push(read);
  }
  return { kind: "files", sources, defaultMode: mode ?? defaultFileMode };
}

function readSource(kind: EnvKind, naming: string, source: Members, path: string): FileSource | Fault {
  const { [naming]: name, items, optional } = source;
  if (typeof name !== "string" || name === "") return wrong(`${path}/${naming}`, "must be the name of a parameter of the team, as text");
  if (optional != null && typeof optional !== "boolean") return wrong(`${path}/optional`, "must be true or false");
  const common = { kind, name, isOptional: optional === true };
  if (items == null) return common;
  if (!Array.isArray(items) || items.length > maxItems)
    return wrong(`${path}/items`, `must be a list of key and path, with at most ${maxItems} entries`);
  const read: NonNullable<FileSource["items"]> = [];
  for (const [index, item] of items.entries()) {
    const at = `${path}/items/${index}`;
    const { key, path: to, mode: written } = asMembers(item);
    if (typeof key !== "string" || key === "" || typeof to !== "string") return wrong(at, "must have key and path as texts");
    const fault = to.includes("$(") ? undefined : innerPathFault(to);
    if (fault !== undefined) return wrong(`${at}/path`, `is ${shown(to)}; it ${fault}`);
    const mode = readMode(written, `${at}/mode`);
    if (typeof mode === "object") return mode;
    read.push({ key, path: to, ...(mode !== undefined && { mode }) });
  }
  return { ...common, items: read };
}

/** YAML reads 0644 as an octal number. */
function readMode(mode: unknown, path: string): number | undefined | Fault {
  if (mode == null) return undefined;
  if (typeof mode === "number" && Number.isInteger(mode) && mode >= 0 && mode <= 0o777) return mode;
  return wrong(path, `is ${shown(mode)}; it must be a mode from 0 to 0777, in JSON from 0 to 511`);
}

/** What is wrong with a path inside a volume, to follow "it"; undefined: nothing. */
export function innerPathFault(path: string): string | undefined {
  const names = path.split("/");
  const isOdd = names.some((name) => name === "" || name === "." || name.startsWith("..")) || /\p{Cc}|\p{Surrogate}/u.test(path);
  if (isOdd) return "must be a relative path without empty parts, control characters and parts that are . or begin with ..";
  if (path.length <= 1_024 && names.length <= 20 && names.every((name) => Buffer.byteLength(name) <= 253)) return undefined;
  return "must have at most 1024 characters, 20 parts, and 253 bytes between two slashes";
}

function unknownMember(source: Members, known: readonly string[], path: string): Fault | undefined {
  const odd = Object.keys(source).find((member) => !known.includes(member));
  return odd === undefined ? undefined : wrong(`${path}/${odd}`, `is not known here; it can be ${known.join(", ")}`);
}

function wrong(path: string, message: string): Fault {
  return { fault: { path, message } };
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? "nothing").slice(0, 80);
}

function asMembers(value: unknown): Members {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : {};
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
