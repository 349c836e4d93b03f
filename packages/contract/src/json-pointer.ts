/** Names as parts of a JSON pointer (RFC 6901), for example `/labels/a~1b` for the member `a/b` of `labels`. */

export function escapePointer(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** The name that a part of a JSON pointer stands for. */
export function unescapePointer(part: string): string {
  return part.replaceAll("~1", "/").replaceAll("~0", "~");
}
