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

export function parseImage(text: string): ImageReference {
  const [named = "", digest] = text.split("@", 2);
  const [, name = named, tag = "latest"] = /^(.+):([^:/]+)$/.exec(named) ?? [];
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
