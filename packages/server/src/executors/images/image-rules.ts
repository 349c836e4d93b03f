import { isIP } from "node:net";
import { rangesOf } from "../../base/network/ip-ranges.ts";
import { resolveAlone } from "../../base/network/name-resolver.ts";
import { closedRanges, privateRanges } from "../networks/outbound-rule.ts";
import { type ImageReference, imageText, isImageId, parseImage, reservedImage } from "./image-reference.ts";

/** Which images tasks may name. */
export interface ImageRules {
  /** Registries as `host`, `host:port` or `host/path`, where `*` stands for a part between slashes; a single `*`: every public one. */
  registries: readonly string[];
  /** Images that are used as the engine has them, without asking a registry for permission; `*` stands for a part between slashes. */
  localImages: readonly string[];
}

/** The image may not be used; the message is for people. */
export class ImageRefusal extends Error {}

/** @throws ImageRefusal explaining the syntax of a name */
export function readImage(text: string): ImageReference {
  const reference = parseImage(text);
  if (reference?.name.startsWith(reservedImage)) throw new ImageRefusal(`${JSON.stringify(text)} is an image of the service itself`);
  if (reference) return reference;
  const shown = JSON.stringify(text);
  if (isImageId(text)) throw new ImageRefusal(`${shown} is the id of an image; use its name, like registry.example.com/team/tool:1.2`);
  throw new ImageRefusal(`${shown} is not the name of an image, like registry.example.com/team/tool:1.2`);
}

export function isLocalImage({ localImages }: ImageRules, reference: ImageReference): boolean {
  return localImages.some((pattern) => matches(completed(pattern), imageText(reference)));
}

/** A pattern is completed like the name of an image. */
function completed(pattern: string): string {
  const slash = pattern.indexOf("/");
  const first = pattern.slice(0, Math.max(slash, 0));
  if (/[.:*]/.test(first) || first === "localhost") return pattern;
  return slash > 0 ? `docker.io/${pattern}` : `docker.io/library/${pattern}`;
}

/**
 * Whether the registry of an image may be contacted, judging by its name.
 *
 * @param trusted hosts that the operator has named elsewhere
 * @returns whether the operator has named it, not only all public ones
 * @throws ImageRefusal naming the setting
 */
export function requireRegistry({ registries }: ImageRules, reference: ImageReference, trusted: readonly string[] = []): boolean {
  const { registry, name } = reference;
  const host = hostOf(registry);
  if (isNeverRegistry(host)) throw new ImageRefusal(`images from ${registry} are not allowed: it is a link-local or metadata address`);
  const isNamed = trusted.includes(registry) || registries.some((pattern) => pattern !== "*" && isListed(pattern, name));
  if (isNamed) return true;
  if (!registries.includes("*")) {
    const known = registries.length > 8 ? `${registries.slice(0, 8).join(", ")} …` : registries.join(", ");
    throw new ImageRefusal(
      `images from ${registry} are not allowed: MILLRACE_IMAGE_REGISTRIES does not list it (it allows ${known || "none"})`,
    );
  }
  if (isInternalName(host) || isInternal(host)) throw new ImageRefusal(internal(registry, host));
  return false;
}

/**
 * The same, judging by the addresses that the registry's name has now. A name that can't be resolved here is left to the engine, which may
 * use a proxy.
 *
 * @throws ImageRefusal naming the setting
 */
export async function requireReachableRegistry(rules: ImageRules, reference: ImageReference, trusted: readonly string[]): Promise<void> {
  const isNamed = requireRegistry(rules, reference, trusted);
  const { registry } = reference;
  for (const address of await addressesOf(hostOf(registry))) {
    if (isNeverRegistry(address))
      throw new ImageRefusal(`images from ${registry} are not allowed: it resolves to ${address}, a link-local address`);
    if (!isNamed && isInternal(address)) throw new ImageRefusal(internal(registry, address));
  }
}

/** A name server that does not respond delays only the requests for this name. */
const resolveMs = 5_000;

function addressesOf(host: string): Promise<string[]> {
  return resolveAlone(host, AbortSignal.timeout(resolveMs)).catch(() => []);
}

function internal(registry: string, address: string): string {
  const where = address === hostOf(registry) ? "" : ` (${address})`;
  return `images from ${registry} are not allowed${where}: it is not on the public internet; list it by name in MILLRACE_IMAGE_REGISTRIES to allow it`;
}

function hostOf(registry: string): string {
  return registry.replace(/:\d+$/, "").replace(/\.$/, "");
}

/** A host without a port only means its default port: other ports don't belong to a registry that the operator named. */
function isListed(pattern: string, name: string): boolean {
  return new RegExp(`^${escaped(pattern).join("[^/:]*")}(?:/.*)?$`).test(name);
}

/** @param pattern matches a whole image, or its start up to a slash, a tag or a digest */
function matches(pattern: string, image: string): boolean {
  return new RegExp(`^${escaped(pattern).join("[^/]*")}(?:[/:@].*)?$`).test(image);
}

/** The parts between the stars, as parts of a regular expression. */
function escaped(pattern: string): string[] {
  return pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
}

const isLoopback = (range: string): boolean => /^(127\.|::1$)/.test(range);
const closedList = closedRanges.flatMap(({ ranges }) => ranges);
const never = rangesOf(closedList.filter((range) => !isLoopback(range) && range !== "::/96"));
const closed = rangesOf([...closedList, ...privateRanges]);

function isNeverRegistry(host: string): boolean {
  return /^metadata(\.google\.internal|\.goog)?$/.test(host) || isIn(never, host);
}

function isInternal(host: string): boolean {
  return isIn(closed, host);
}

function isIn(list: ReturnType<typeof rangesOf>, host: string): boolean {
  const family = isIP(host);
  return family !== 0 && list.check(host, family === 4 ? "ipv4" : "ipv6");
}

/** Names without a dot, and those that only resolve in a private network. */
function isInternalName(host: string): boolean {
  return !host.includes(".") || /\.(?:localhost|local|internal|intranet|lan|home|corp|svc|cluster\.local)$/.test(host);
}
