import { closeSync, constants, openSync, unlinkSync, writeSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import { errorOfTool } from "../../base/error/machine-fault.ts";
import { runTool } from "../folders/run-tool.ts";

/**
 * Pipes for the output of steps. Node gives a child sockets instead of pipes, and a socket can't be opened by name: `tee /dev/stderr` and
 * `> /dev/stdout`, which scripts use a lot, would fail. A named pipe can be opened, through `/proc/self/fd`, even after its name was
 * removed.
 *
 * A pipe serves one step and is never reused. A step can hold it in a way that is neither a reader nor a writer (O_PATH), pass it to
 * another task through a socket, and open it from there later: it would read or forge the output of the next step.
 */
export interface OutputPipe {
  /** Where the spawner opens the end for writing; the name is removed by `handOver`. */
  path: string;
  reader: Socket;
  /** Called once the child has its copy: from now on the stream ends with its last writer. */
  handOver(): void;
  /** Closes everything that is open. */
  close(): void;
}

/** The other direction: what a process reads as its standard input. */
export interface InputPipe {
  /** Where the spawner opens the end for reading; the name is removed by `handOver`. */
  path: string;
  handOver(): void;
  /** Never blocks. @returns false if the pipe is full or closed */
  write(line: string): boolean;
  close(): void;
}

export interface OutputPipes {
  open(): Promise<OutputPipe>;
  openInput(): Promise<InputPipe>;
}

/** How many one call of the program creates, so that not every step waits for its own. */
const batchSize = 64;
/** Any user may write (a step opens /dev/stdout again), only the service may read; the folder is closed to all others. */
const pipeMode = "622";

/** Shared by the whole process: the levels that are tested at the start share a folder. */
let pipeCount = 0;

export function createOutputPipes(folder: string): OutputPipes {
  const free: string[] = [];
  let growing: Promise<void> | undefined;

  const grow = async (): Promise<void> => {
    const paths = Array.from({ length: batchSize }, () => join(folder, String(pipeCount++)));
    const { code, stderr, error } = await runTool("mkfifo", ["-m", pipeMode, "--", ...paths]);
    if (error) throw error;
    if (code !== 0) throw errorOfTool(`cannot create pipes in ${folder}`, stderr);
    free.push(...paths);
  };
  const takePath = async (): Promise<string> => {
    for (;;) {
      const path = free.pop();
      if (path !== undefined) return path;
      growing ??= grow().finally(() => (growing = undefined));
      await growing;
    }
  };

  return {
    async open() {
      return openPipe(await takePath());
    },
    async openInput() {
      return openInputPipe(await takePath());
    },
  };
}

/** Opening a pipe whose other end is open does not access the disk, so it may be done synchronously. */
function openPipe(path: string): OutputPipe {
  const readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  // The stream must not end before the child has its own end.
  const writeEnd = openWriteEnd(path, readEnd);
  const reader = openReader(readEnd, writeEnd);
  reader.pause();
  const handOver = once(() => {
    closeSync(writeEnd);
    dropName(path);
  });
  return {
    path,
    reader,
    handOver,
    close() {
      handOver();
      reader.destroy();
    },
  };
}

/** Opens both ends: so the spawner need not wait for a writer, and a step that no longer reads causes no error. */
function openInputPipe(path: string): InputPipe {
  const descriptor = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  const handOver = once(() => dropName(path));
  let isClosed = false;
  return {
    path,
    handOver,
    write(line) {
      if (isClosed) return false;
      try {
        // Short enough that a pipe takes it as a whole or not at all.
        return writeSync(descriptor, line) === Buffer.byteLength(line);
      } catch {
        return false;
      }
    },
    close: once(() => {
      handOver();
      isClosed = true;
      closeSync(descriptor);
    }),
  };
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    work();
  };
}

function dropName(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // No other step gets a name that was used once; it is removed with its folder.
  }
}

function openReader(readEnd: number, writeEnd: number): Socket {
  try {
    return new Socket({ fd: readEnd, readable: true, writable: false });
  } catch (error) {
    closeSync(readEnd);
    closeSync(writeEnd);
    throw error;
  }
}

function openWriteEnd(path: string, readEnd: number): number {
  try {
    return openSync(path, constants.O_WRONLY);
  } catch (error) {
    // If too many files are open, each one counts.
    closeSync(readEnd);
    throw error;
  }
}
