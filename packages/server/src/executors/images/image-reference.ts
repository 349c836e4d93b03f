/** The image name from a task, parsed and completed: an engine never gets a name that it could complete differently. */
export interface ImageReference {
  /** With the registry, and `library/` where Docker Hub has it: `docker.io/library/busybox`. */
  name: string;
  /** A tag, or a digest with its algorithm; if it has both, the digest counts. */
  version: string;
  isDigest: boolean;
  /** Host and port of the registry; `docker.io` if the text names none. */
  registry: string;
  /** The part after the registry. */
  path: string;
}

/**
 * The grammar of the distribution specification, part by part: a name becomes part of the path of a request to an engine, so no part of it
 * may be `.` or `..`, or empty.
 */
const hostLabel = "[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?";
const pathPart = "[a-z0-9]+(?:(?:[.]|_{1,2}|-+)[a-z0-9]+)*";
const namePattern = new RegExp(`^(?:${hostLabel}(?:\\.${hostLabel})*(?::\\d{1,5})?/)?${pathPart}(?:/${pathPart})*$`);
const versionPattern = /^(?:[\w][\w.-]{0,127}|[a-z0-9+._-]+:[0-9a-f]{32,})$/i;
const dockerHub = "docker.io";
/** Images that the service creates for itself: tasks can neither run programs in them nor replace them. */
export const reservedImage = "localhost/millrace-network";

/**
 * @returns undefined if it is not the name of an image: such a text must not become part of a request. The id of an image is not a name
 * either, since engines find every image by it, no matter who pulled it.
 */
export function parseImage(text: string): ImageReference | undefined {
  const [named = "", digest] = text.split("@", 2);
  const [, name = named, tag = "latest"] = /^(.+):([^:/]+)$/.exec(named) ?? [];
  if (name.length > 255 || !namePattern.test(name) || !versionPattern.test(digest ?? tag)) return undefined;
  if (isImageId(text)) return undefined;
  const slash = name.indexOf("/");
  const first = name.slice(0, Math.max(slash, 0));
  const hasRegistry = slash > 0 && (/[.:]/.test(first) || first === "localhost" || first !== first.toLowerCase());
  const isHub = !hasRegistry || /^(index\.)?docker\.io$/i.test(first);
  const registry = isHub ? dockerHub : first.toLowerCase();
  const rest = hasRegistry ? name.slice(slash + 1) : name;
  const path = isHub && !rest.includes("/") ? `library/${rest}` : rest;
  return { name: `${registry}/${path}`, version: digest ?? tag, isDigest: digest !== undefined, registry, path };
}

/** `sha256:4f2a…` complete or shortened, or all 64 digits. */
export function isImageId(text: string): boolean {
  return /^(?:sha256:[0-9a-f]+|[0-9a-f]{64})$/i.test(text);
}

/** As an engine finds it among its own images, and as it is requested from a registry. */
export function imageText({ name, version, isDigest }: ImageReference): string {
  return `${name}${isDigest ? "@" : ":"}${version}`;
}
