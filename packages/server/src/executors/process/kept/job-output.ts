import { randomBytes } from "node:crypto";
import { PassThrough, type Readable } from "node:stream";
import { finished } from "node:stream/promises";
import type { AttemptOutput } from "../../steps/step-output.ts";

/** What the runner reports about a job, as part of the output: so that the job's own output comes before. */
type Mark = "begun" | "done";

interface CurrentJob {
  nonce: string;
  /** Where its output goes. */
  sink: PassThrough;
  /** What it has not reported yet. Each word counts once: a job that repeats one would keep the service busy with bytes that no limit counts. */
  awaited: readonly Mark[];
  onMark(mark: Mark): void;
}

const separator = 0x1e;
const words: readonly Mark[] = ["begun", "done"];

/**
 * Divides the output of a sandbox that serves one job after the other. The output of a job ends with the mark that contains its nonce,
 * which no job knows before it runs. A job can forge its own mark and so end earlier; output that arrives while there is no job belongs to
 * nobody, and makes the sandbox unusable for another one.
 */
export class JobOutput {
  #reader: Readable | undefined;
  #lastWords: string | undefined;
  #current: CurrentJob | undefined;
  /** The start of what may become a mark. */
  #held: Buffer = Buffer.alloc(0);
  #isDirty = false;
  #isClosed = false;

  /** Output arrived that belongs to no job. */
  get isDirty(): boolean {
    return this.#isDirty;
  }

  read(reader: Readable, lastWords: string | undefined): void {
    this.#reader = reader;
    this.#lastWords = lastWords;
    reader
      .on("data", (chunk: Buffer) => this.#take(chunk))
      .on("end", () => this.#close())
      .on("close", () => this.#close())
      .on("error", () => undefined);
    reader.resume();
  }

  /** @returns its nonce, and a promise that resolves when all its output was read: after its mark, or at the end of the sandbox */
  begin(step: string, output: AttemptOutput, onMark: CurrentJob["onMark"]): { nonce: string; ended: Promise<void> } {
    const nonce = randomBytes(16).toString("hex");
    const sink = new PassThrough();
    output.read(step, "output", sink, this.#lastWords);
    this.#current = { nonce, sink, awaited: words, onMark };
    if (this.#isClosed) this.#end();
    return { nonce, ended: finished(sink).catch(() => undefined) };
  }

  #take(chunk: Buffer): void {
    const job = this.#current;
    if (job === undefined) {
      this.#isDirty = true;
      return;
    }
    const text = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    this.#held = noBytes;
    const found = findMark(text, job);
    if (found === undefined) {
      const kept = heldBack(text, job);
      this.#held = text.subarray(text.length - kept);
      return this.#give(job, text.subarray(0, text.length - kept));
    }
    this.#give(job, text.subarray(0, found.at));
    job.awaited = job.awaited.filter((mark) => mark !== found.mark);
    if (found.mark === "done") this.#end();
    job.onMark(found.mark);
    const rest = text.subarray(found.end);
    if (rest.length > 0) this.#take(rest);
  }

  /** The step blocks while its lines can't be stored fast enough. */
  #give({ sink }: CurrentJob, bytes: Buffer): void {
    if (bytes.length === 0 || sink.write(bytes)) return;
    this.#reader?.pause();
    sink.once("drain", () => this.#reader?.resume());
  }

  #close(): void {
    this.#isClosed = true;
    this.#end();
  }

  #end(): void {
    const job = this.#current;
    if (job === undefined) return;
    this.#current = undefined;
    job.sink.end(this.#held);
    this.#held = noBytes;
    // A stream that has ended never emits `drain`.
    this.#reader?.resume();
  }
}

const noBytes: Buffer = Buffer.alloc(0);

function markOf(nonce: string, word: Mark): string {
  return `${String.fromCharCode(separator)}${nonce} ${word}\n`;
}

type Marking = Pick<CurrentJob, "nonce" | "awaited">;

function findMark(text: Buffer, { nonce, awaited }: Marking): { at: number; end: number; mark: Mark } | undefined {
  if (!text.includes(separator)) return undefined;
  const places = awaited.map((mark) => ({ at: text.indexOf(markOf(nonce, mark)), mark })).filter(({ at }) => at >= 0);
  const [first] = places.sort((one, other) => one.at - other.at);
  return first && { ...first, end: first.at + markOf(nonce, first.mark).length };
}

/** How many bytes at the end may be the start of a mark. */
function heldBack(text: Buffer, { nonce, awaited }: Marking): number {
  const at = text.lastIndexOf(separator);
  if (at < 0) return 0;
  const end = text.subarray(at).toString("latin1");
  return awaited.some((word) => markOf(nonce, word).startsWith(end)) ? end.length : 0;
}
