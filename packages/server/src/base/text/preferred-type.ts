import { AppError } from "../error/app-error.ts";

const yamlSpellings = /^(?:application|text)\/(?:x-)?yaml$/;

/**
 * The media type of the response (RFC 9110, 12.5.1): the one that Accept prefers; of equal ones the first possible.
 *
 * @param header of the request; without it everything is accepted
 * @param possible in order of preference; YAML as `application/x-yaml`, whose other spellings are understood
 */
export function preferredType<const Possible extends readonly string[]>(header: string | undefined, possible: Possible): Possible[number] {
  const ranges = parseRanges(header?.trim() || "*/*");
  let best: { type: string; quality: number } | undefined;
  for (const type of possible) {
    const quality = qualityOf(type, ranges);
    if (quality > (best?.quality ?? 0)) best = { type, quality };
  }
  if (best === undefined) throw new AppError("NOT_ACCEPTABLE", [header, possible.join(", ")]);
  return best.type;
}

interface Range {
  type: string;
  quality: number;
}

function parseRanges(header: string): Range[] {
  const ranges = header.split(",").map((part) => {
    const [name = "", ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase());
    const quality = Number(parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? 1);
    return { type: yamlSpellings.test(name) ? "application/x-yaml" : name, quality: Number.isFinite(quality) ? quality : 0 };
  });
  return ranges.filter(({ type }) => type !== "");
}

/** The most specific range that fits decides. */
function qualityOf(type: string, ranges: readonly Range[]): number {
  const family = `${type.split("/")[0]}/*`;
  const fitting = [type, family, "*/*"].map((wanted) => ranges.find((range) => range.type === wanted));
  return fitting.find((range) => range !== undefined)?.quality ?? 0;
}
