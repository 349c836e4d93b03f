import { randomBytes } from "node:crypto";
import { type Attempt, writeFixed } from "../../folders/attempt-folder.ts";
import type { StepEnd } from "../../steps/step-end.ts";
import { attemptProcesses } from "../attempt-processes.ts";
import type { AttemptGroup, GroupAhead, GroupLimits } from "../control-groups/attempt-group.ts";
import type { ControlGroups } from "../control-groups/control-groups.ts";
import type { Level } from "../isolation/level.ts";
import type { OutputPipe, OutputPipes } from "../output-pipes.ts";
import type { Spawner } from "../spawner.ts";

/**
 * A sandbox that is made before its step is known: bubblewrap waits with all namespaces and mounts made, right before it would start the
 * launcher. Nothing of a step has run in it, so it isolates as any other, and its folder, user, output pipe and control groups are its own.
 * Its first process is in the groups already, since the kernel takes some milliseconds for that; they get the limits and the team of the
 * attempt. What it is to start comes as a file in the folder that only the service writes.
 */
export interface SandboxAhead {
  readonly attempt: Attempt;
  /** What it starts: texts that are ended by a NUL. It is not there before `begin`. */
  readonly commandFile: string;
  readonly pipe: OutputPipe;
  /** What the program of the sandbox prints if it was killed. */
  readonly lastWords: string | undefined;
  readonly isAlive: boolean;
  /** Its last process has ended. */
  readonly ended: Promise<unknown>;
  /** Its control groups for this attempt, which releases them. @returns undefined where there are none */
  assignGroup(limits: GroupLimits, teamId: string): AttemptGroup | undefined;
  /** Its first process starts the command. @returns how it ended */
  begin(onStarted: (pid: number) => void): Promise<StepEnd>;
  /** Ends it if it has not begun, and releases its groups if no attempt has them. Safe to call twice. */
  end(): Promise<void>;
}

export interface AheadParts {
  groups: Pick<ControlGroups, "sharesProcessors" | "takeAhead"> | undefined;
  level: Level;
  pipes: OutputPipes;
  spawner: Spawner;
}

/** @param attempt a folder of its own, which the caller releases */
export async function makeAhead(parts: AheadParts, attempt: Attempt): Promise<SandboxAhead> {
  const pipe = await parts.pipes.open();
  const group = parts.groups?.takeAhead();
  try {
    return launchAhead(parts, attempt, pipe, group);
  } catch (error) {
    pipe.close();
    await group?.release();
    throw error;
  }
}

function launchAhead({ level, spawner }: AheadParts, attempt: Attempt, pipe: OutputPipe, group: GroupAhead | undefined): SandboxAhead {
  const { steps } = level.view(attempt);
  // No file of a step has such a name (`stepFiles`). If the gate opens because the spawner has ended, the command finds none, even if the
  // folder serves another attempt by then. A number would say how many steps there were, of other teams, too.
  const commandFile = `command-${randomBytes(6).toString("hex")}`;
  const argv = [`${steps}/${attempt.launcher}`, `${steps}/${commandFile}`];
  const nothing = { folders: [], files: [], workspaceSources: [], joinFiles: group?.joinFiles ?? [] };
  const launch = level.launch({ ...nothing, attempt, argv, network: "none", isAhead: true });
  let pid: number | undefined;
  let hasBegun = false;
  let isAlive = true;
  let isUnassigned = group !== undefined;
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let started: (pid: number) => void = () => undefined;
  const isStarted = new Promise<number>((resolve) => {
    started = resolve;
  });
  const onStarted = (given: number): void => {
    pid = given;
    pipe.handOver();
    started(given);
  };
  const ended = spawner.launch(launch, { output: pipe.path, onStarted, opened }).finally(() => {
    isAlive = false;
  });
  return {
    attempt,
    commandFile,
    pipe,
    lastWords: launch.lastWords,
    ended,
    get isAlive() {
      return isAlive;
    },
    assignGroup(limits, teamId) {
      const assigned = group?.assign(limits, teamId);
      isUnassigned = false;
      return assigned;
    },
    begin(onStarted) {
      hasBegun = true;
      void isStarted.then(onStarted);
      open();
      return ended;
    },
    async end() {
      if (hasBegun) return;
      await Promise.race([isStarted, ended]);
      if (isAlive && pid !== undefined) await attemptProcesses(level, attempt, undefined, false).killAll(pid);
      await ended;
      pipe.close();
      if (!isUnassigned) return;
      isUnassigned = false;
      await group?.release();
    },
  };
}

/** What is longer may be refused by the kernel, and a fresh sandbox reports that. */
const longestCommand = 65_536;

/** @returns false: it has ended, or the command is too long for it */
export async function writeCommand({ attempt, commandFile, isAlive }: SandboxAhead, argv: readonly string[]): Promise<boolean> {
  const command = argv.map((text) => `${text}\0`).join("");
  if (!isAlive || command.length > longestCommand) return false;
  await writeFixed(attempt, "steps", commandFile, command);
  return true;
}
