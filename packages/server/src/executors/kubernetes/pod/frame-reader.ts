/**
 * Reads the output of the follow script: lines `WORD STEP NUMBER …`, some followed by bytes.
 *
 *     begin STEP MS         it started that many ms ago
 *     out STEP COUNT        COUNT bytes of its output follow (err: of its standard error, which Jobs of earlier versions keep apart)
 *     end STEP CODE KILLS   it ended, and all its output was sent; CODE may be `lost`: its container died before it could report one
 *     skip STEP             its conditions are not met
 *     refuse STEP NUMBER WHY  it does not start: the value with that number can't be used (programs/pod/turn.sh)
 *     breach 0 KIB …        the attempt exceeds a limit; the numbers of `control/breach` (pod-scripts.ts), of which Jobs of earlier
 *                           versions only send the first
 *     result 0 COUNT NAME   COUNT bytes of a result follow; `large 0 COUNT NAME`: a result that exceeds the limit
 *     beside K COUNT        COUNT bytes of the output of sidecar K follow; `ended K CODE KILLS WHEN`: it ended; `unready K WHY NUMBER`: it
 *                           was not ready in time (programs/pod/collect.sh)
 *     tick                  nothing new
 *     over                  that was everything
 *
 * `position` is where the next connection continues after this one broke: the received part of a frame is passed on immediately and
 * counted.
 */
export interface Frames {
  onBegin(step: number, agoMs: number): void;
  onOutput(step: number, stream: "output" | "stderr", chunk: Buffer): void;
  onEnd(step: number, code: number | "lost", kills: number): void;
  onSkip(step: number): void;
  /** @param value number of the value, from 1; 0: all together */
  onRefuse(step: number, value: number, why: string): void;
  onBreach(breach: PodBreach): void;
  /** @param sidecar index, from 0 */
  onSidecarOutput(sidecar: number, chunk: Buffer): void;
  onSidecarEnd(sidecar: number, end: SidecarEnd): void;
  onUnready(sidecar: number, why: string, number: number): void;
  onResult(name: string, bytes: Buffer | "too large"): void;
  onOver(): void;
  /** Another connection starts; all results are sent again. */
  onRestart(): void;
  /** After a piece: what to wait for before the next one is read. */
  takeRoom(): Promise<void> | undefined;
}

export interface SidecarEnd {
  code: number | "lost";
  kills: number;
  /** Before a step could start, while the steps ran, or after it was asked to end. */
  when: "early" | "late" | "asked";
}

/** What an attempt stores on the disk of its node, once that exceeds a limit. */
export interface PodBreach {
  /** Total, including those below. */
  kibibytes: number;
  /** Files, folders and links. */
  files: number;
  /** In files that were deleted and are still open. */
  gone: number;
  /** In volumes of images, in files that the node has put into the container, and in the image where the node can't count it. */
  other: number;
  /** The space that the disk has lost, if something can't be read. */
  unseen: number;
  /** Number of the volume that exceeds its limit, from 1; the KiB are then those of the volume. 0: all folders together do. */
  volume: number;
}

function readBreach(kibibytes: number, more: readonly string[]): PodBreach {
  const [files = 0, gone = 0, other = 0, unseen = 0, volume = 0] = more.map((text) => (/^\d{1,15}$/.test(text) ? Number(text) : 0));
  return { kibibytes, files, gone, other, unseen, volume };
}

function readEnd(code: string, kills: string): { code: number | "lost"; kills: number } {
  const isCode = /^\d{1,3}$/.test(code) && Number(code) <= 255;
  return { code: isCode ? Number(code) : "lost", kills: /^\d{1,9}$/.test(kills) ? Number(kills) : 0 };
}

function readWhen(word: string | undefined): SidecarEnd["when"] {
  return word === "early" || word === "late" ? word : "asked";
}

/** The bytes that follow a line. */
interface Body {
  stream?: "out" | "err";
  sidecar?: number;
  name?: string;
  parts: Buffer[];
}

interface Position {
  step: number;
  out: number;
  err: number;
  /** Bytes of the output of each sidecar. */
  sidecars: number[];
}

const lineFeed = 10;
const maxHeaderBytes = 4_096;

export class FrameReader {
  /** Where to continue; kept across connections. */
  readonly position: Position;
  readonly #frames: Frames;
  readonly #resultBytes: number;
  #header = Buffer.alloc(0);
  #leftBytes = 0;
  #body: Body = { parts: [] };

  /**
   * @param resultBytes limit of a single result: for a longer one, only its size is sent
   * @param sidecars how many there are
   */
  constructor(frames: Frames, resultBytes: number, sidecars = 0) {
    this.position = { step: 1, out: 0, err: 0, sidecars: Array.from({ length: sidecars }, () => 0) };
    this.#frames = frames;
    this.#resultBytes = resultBytes;
  }

  /** A new connection starts at a frame. */
  restart(): void {
    this.#header = Buffer.alloc(0);
    this.#leftBytes = 0;
    this.#body = { parts: [] };
    this.#frames.onRestart();
  }

  /** @throws Error if it is not a frame */
  push(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0) rest = this.#leftBytes > 0 ? this.#takeBody(rest) : this.#takeHeader(rest);
  }

  #takeHeader(chunk: Buffer): Buffer {
    const end = chunk.indexOf(lineFeed);
    const part = end < 0 ? chunk : chunk.subarray(0, end);
    const header = Buffer.concat([this.#header, part]);
    if (header.length > maxHeaderBytes) throw new Error("the collector sent something that is not a frame");
    this.#header = end < 0 ? header : Buffer.alloc(0);
    if (end < 0) return Buffer.alloc(0);
    this.#begin(header.toString("utf8"));
    return chunk.subarray(end + 1);
  }

  #begin(header: string): void {
    const [word = "", step = "", number = "", ...more] = header.split(" ");
    const count = Number(number);
    switch (word) {
      case "tick":
        return;
      case "over":
        return this.#frames.onOver();
      case "begin":
        return this.#frames.onBegin(this.#stepOf(step), count);
      case "end":
        return this.#end(this.#stepOf(step), number, more[0] ?? "");
      case "skip":
        return this.#pass((at) => this.#frames.onSkip(at), step);
      case "refuse":
        return this.#pass((at) => this.#frames.onRefuse(at, count, more[0] ?? ""), step);
      case "beside":
        return this.#expect(count, { sidecar: this.#sidecarOf(step), parts: [] });
      case "ended":
        return this.#frames.onSidecarEnd(this.#sidecarOf(step), { ...readEnd(number, more[0] ?? ""), when: readWhen(more[1]) });
      case "unready":
        return this.#frames.onUnready(this.#sidecarOf(step), number, Number(more[0]));
      case "breach":
        return this.#frames.onBreach(readBreach(count, more));
      case "large":
        return this.#frames.onResult(more.join(" "), "too large");
      case "out":
      case "err":
        return this.#expect(count, { stream: word, parts: [] });
      case "result":
        return this.#expect(count, { name: more.join(" "), parts: [] });
      default:
        throw new Error("the collector sent something that is not a frame");
    }
  }

  /** Steps are reported in order, so it is always the expected one. */
  #stepOf(text: string): number {
    if (text !== String(this.position.step)) throw new Error("the collector sent something that is not a frame");
    return this.position.step;
  }

  #sidecarOf(text: string): number {
    const index = Number(text) - 1;
    if (this.position.sidecars[index] === undefined) throw new Error("the collector sent something that is not a frame");
    return index;
  }

  #pass(say: (step: number) => void, text: string): void {
    const step = this.#stepOf(text);
    this.position.step = step + 1;
    this.position.out = this.position.err = 0;
    say(step);
  }

  /** The step had access to the pipe that this came through: what is not a valid exit code is not passed on as one. */
  #end(step: number, code: string, kills: string): void {
    this.position.step = step + 1;
    this.position.out = this.position.err = 0;
    const end = readEnd(code, kills);
    this.#frames.onEnd(step, end.code, end.kills);
  }

  #expect(count: number, body: Body): void {
    const most = body.name === undefined ? Number.MAX_SAFE_INTEGER : this.#resultBytes;
    if (!Number.isSafeInteger(count) || count < 0 || count > most) throw new Error("the collector sent something that is not a frame");
    this.#leftBytes = count;
    this.#body = body;
    if (count === 0 && body.name !== undefined) this.#frames.onResult(body.name, Buffer.alloc(0));
  }

  #takeBody(chunk: Buffer): Buffer {
    const part = chunk.subarray(0, this.#leftBytes);
    this.#leftBytes -= part.length;
    const { stream, sidecar, name, parts } = this.#body;
    if (stream !== undefined) {
      this.position[stream] += part.length;
      this.#frames.onOutput(this.position.step, stream === "out" ? "output" : "stderr", part);
    } else if (sidecar !== undefined) {
      this.position.sidecars[sidecar] = (this.position.sidecars[sidecar] ?? 0) + part.length;
      this.#frames.onSidecarOutput(sidecar, part);
    } else {
      parts.push(Buffer.from(part));
      if (this.#leftBytes === 0) this.#frames.onResult(name ?? "", Buffer.concat(parts));
    }
    return chunk.subarray(part.length);
  }
}
