import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

/**
 * Another product that runs workflows of durable steps, as `npm run bench -- peers` starts it: in the way that its own documentation shows,
 * with its default settings, and a small user program (`programs/`) whose steps do nothing.
 */
export interface Peer {
  name: string;
  /** What the measured step is, when it is durable, and what is stored of it: without this the figures can't be compared. */
  differs: string;
  /** @returns undefined if it can't run on this machine, with the reason on standard error */
  start(places: PeerPlaces): Promise<RunningPeer | undefined>;
}

export interface PeerPlaces {
  /** Where the packages of the peers are installed, and their programs copied. */
  packages: string;
  /** Fresh, and removed afterwards. */
  data: string;
}

export interface RunningPeer {
  /** Runs one workflow with this many steps, from the request until its end is known, and checks that every step has run. */
  run(steps: number): Promise<void>;
  /** Its processes; their children count with them. */
  pids: readonly number[];
  stop(): Promise<void>;
}

export interface PeerProgram {
  pid: number;
  /** The text that the program printed after `ready `. */
  address: string;
  stop(): Promise<void>;
}

/**
 * Starts a program and waits for a line that matches.
 * @param ready its first group is the address
 * @throws Error with the output if the program ends before
 */
export async function startProgram(
  command: string,
  args: readonly string[],
  options: { cwd: string; env?: Record<string, string>; ready?: RegExp },
): Promise<PeerProgram> {
  const child = spawn(command, args, { cwd: options.cwd, env: { ...process.env, ...options.env }, stdio: ["ignore", "pipe", "pipe"] });
  // They end with the benchmark, so that none is left running.
  process.once("exit", () => child.kill("SIGKILL"));
  const address = await waitForLine(child, options.ready ?? /^ready (\S+)/m);
  return {
    pid: child.pid as number,
    address,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGTERM");
      const kill = setTimeout(() => child.kill("SIGKILL"), 5_000);
      await once(child, "exit");
      clearTimeout(kill);
    },
  };
}

function waitForLine(child: ChildProcess, ready: RegExp): Promise<string> {
  let output = "";
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`${child.spawnfile} ended with ${code}:\n${output.slice(-2_000)}`)));
    const read = (chunk: Buffer) => {
      if (output.length < 1_000_000) output += chunk.toString();
      const found = ready.exec(output);
      if (found) resolve(found[1] ?? "");
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
  });
}
