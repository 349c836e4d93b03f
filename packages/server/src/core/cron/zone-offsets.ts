import { BoundedCache } from "../../base/process/bounded-cache.ts";

/**
 * How far the local time of a zone is from UTC, and when that changes. The only source is Intl, which can only be asked for one instant at
 * a time and takes microseconds for it, so its results are cached, in blocks of four days. Changes that cancel each other out within a
 * block would be missed; the closest ones since 1970 (Brazil, October 2000) are seven days apart.
 */

/** A period with a constant offset. Seconds since the epoch, `end` excluded. */
export interface OffsetSpan {
  start: number;
  end: number;
  /** Local time minus UTC, in seconds. */
  offset: number;
}

const blockSeconds = 4 * 86_400;
/** More zones than exist; the same zone in other spelling counts again. */
const maxZones = 1000;
/** For all blocks: enough for more than the time that schedules look at, in each of hundreds of zones. */
const maxBytes = 16_777_216;
/** The size of a block, and of each of its spans. */
const [blockBytes, spanBytes] = [150, 50];

const formats = new BoundedCache<Intl.DateTimeFormat>("zone-formats", { maxEntries: maxZones });
const blocks = new BoundedCache<OffsetSpan[]>("zone-offsets", { maxBytes, bytesOf: (spans) => blockBytes + spans.length * spanBytes });

/**
 * The spans that cover a period, in order, without gaps; neighbours may have the same offset.
 *
 * @param from seconds since the epoch
 * @param to seconds since the epoch, included
 * @throws RangeError for a zone that Intl does not know
 */
export function offsetSpans(timeZone: string, from: number, to: number): OffsetSpan[] {
  const spans: OffsetSpan[] = [];
  const format = formatOf(timeZone);
  const last = Math.floor(to / blockSeconds);
  for (let block = Math.floor(from / blockSeconds); block <= last; block += 1) {
    for (const span of blockOf(timeZone, format, block)) if (span.start <= to && span.end > from) spans.push(span);
  }
  return spans;
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
  formats.set(timeZone, format);
  return format;
}

function blockOf(timeZone: string, format: Intl.DateTimeFormat, block: number): OffsetSpan[] {
  const key = `${timeZone} ${block}`;
  const known = blocks.get(key);
  if (known) return known;
  const spans = findSpans(format, block * blockSeconds, (block + 1) * blockSeconds);
  blocks.set(key, spans);
  return spans;
}

function findSpans(format: Intl.DateTimeFormat, from: number, to: number): OffsetSpan[] {
  const spans: OffsetSpan[] = [];
  const lastOffset = readOffset(format, to - 1);
  for (let start = from; start < to; ) {
    const offset = readOffset(format, start);
    const end = offset === lastOffset ? to : findChange(format, offset, start, to - 1);
    spans.push({ start, end, offset });
    start = end;
  }
  return spans;
}

/** The first second without an offset that applies at `low`, but not at `high`. */
function findChange(format: Intl.DateTimeFormat, offset: number, low: number, high: number): number {
  let [before, after] = [low, high];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (readOffset(format, middle) === offset) before = middle;
    else after = middle;
  }
  return after;
}

/**
 * Reads the end of "1/31/2026, GMT-03:30". It has seconds for dates before time zones were introduced, and nothing after GMT at Greenwich.
 */
function readOffset(format: Intl.DateTimeFormat, seconds: number): number {
  const [, sign, hours, minutes, rest = "0"] = /([+-])(\d+):(\d+)(?::(\d+))?$/.exec(format.format(seconds * 1000)) ?? [];
  const size = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(rest);
  return sign === "-" ? -size : size;
}
