/** An image as a task names it, taken apart. */
export interface ImageReference {
  /** As it is given to the engine, registry included where the text has one. */
  name: string;
  /** A tag, or a digest with its algorithm; of both the digest counts. */
  version: string;
  isDigest: boolean;
  /** Host and port of the registry; `docker.io` where the text names none. */
  registry: string;
  /** What follows the registry. */
  path: string;
}

const namePattern = /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::\d+)?\/)?[a-z0-9]+(?:[._/-]+[a-z0-9]+)*$/;
const versionPattern = /^(?:[\w][\w.-]{0,127}|[a-z0-9+._-]+:[0-9a-f]{32,})$/i;

/** @returns undefined when it can be no name of an image: such a text must not become part of a request */
export function parseImage(text: string): ImageReference | undefined {
  const [named = "", digest] = text.split("@", 2);
  const [, name = named, tag = "latest"] = /^(.+):([^:/]+)$/.exec(named) ?? [];
  if (name.length > 255 || !namePattern.test(name) || name.includes("//") || !versionPattern.test(digest ?? tag)) return undefined;
  const slash = name.indexOf("/");
  const first = name.slice(0, Math.max(slash, 0));
  const hasRegistry = slash > 0 && (/[.:]/.test(first) || first === "localhost");
  return {
    name,
    version: digest ?? tag,
    isDigest: digest !== undefined,
    registry: hasRegistry ? first : "docker.io",
    path: hasRegistry ? name.slice(slash + 1) : name,
  };
}

/** As an engine finds it among its own images. */
export function imageText({ name, version, isDigest }: ImageReference): string {
  return `${name}${isDigest ? "@" : ":"}${version}`;
}
