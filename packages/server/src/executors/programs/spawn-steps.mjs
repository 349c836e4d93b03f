// Starts the processes of steps for the service (process/spawner.ts): this process is small, so forking it is cheap. It gets one message
// for each step, opens what the step's program is to have open, and answers with the process and, later, with its end. It ends with
// its channel, which is with the service. No argument and no variable of it holds anything of a task.
import { spawn } from "node:child_process";
import { closeSync, constants, openSync, writeSync } from "node:fs";

const openFolder = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

process.title = "millrace-spawner";
// The service says when to end: what ends a whole group of processes leaves it the time to end its steps.
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => undefined);
process.on("disconnect", () => process.exit());
process.on("message", ({ id, launch }) => {
  try {
    start(id, launch);
  } catch (error) {
    fail(id, error);
  }
});

function start(id, { file, args, uid, gid, path, output, input, folders, filterFile, gateFiles }) {
  const opened = [];
  const open = (name, flags) => {
    const descriptor = openSync(name, flags);
    opened.push(descriptor);
    return descriptor;
  };
  try {
    // A pipe that nobody reads any more would keep a mere writer waiting forever, and with it all other steps.
    open(output, "r+");
    const writeEnd = open(output, "w");
    const gate = gateFiles.length > 0 ? ["pipe", "pipe"] : [];
    const rest = folders.map((folder) => open(folder, openFolder));
    // Opened for each step: what one has read of it, another one could not read again.
    if (filterFile !== undefined) rest.push(open(filterFile, "r"));
    // The service has it open for writing, so this does not wait.
    const readEnd = input === undefined ? "ignore" : open(input, "r");
    const stdio = [readEnd, writeEnd, writeEnd, ...gate, ...rest];
    const user = uid === undefined ? {} : { uid, gid };
    const child = spawn(file, args, { stdio, env: { PATH: path }, cwd: "/", detached: true, ...user });
    child.on("error", (error) => fail(id, error));
    child.on("exit", (code, signal) => process.send({ id, code, signal }));
    if (child.pid === undefined) return;
    process.send({ id, pid: child.pid });
    if (gateFiles.length > 0) watchGate(child, gateFiles);
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

/**
 * bubblewrap says which process is the first inside, and has it wait. That joins its control groups meanwhile, and may then begin. Moving a process can make
 * the kernel wait for some milliseconds. All such moves wait for each other, so a thread for each would gain nothing, and it is not the service that waits.
 */
function watchGate({ stdio: [, , , info, gate] }, gateFiles) {
  let text = "";
  info.on("error", () => undefined);
  gate.on("error", () => undefined);
  info.on("data", (chunk) => {
    text += chunk.toString("latin1");
    const inside = /"child-pid": (\d+)/.exec(text)?.[1];
    if (inside === undefined || !text.trimEnd().endsWith("}")) return;
    info.removeAllListeners("data").resume();
    if (joinGroups(Number(inside), gateFiles)) gate.end("1");
  });
}

/** @returns whether it has; without its limits it must not begin. That it has ended meanwhile is the usual reason. */
function joinGroups(pid, files) {
  try {
    for (const path of files) {
      const file = openSync(path, "r+");
      try {
        writeSync(file, String(pid));
      } finally {
        closeSync(file);
      }
    }
    return true;
  } catch {
    kill(pid);
    return false;
  }
}

function kill(pid) {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}

function fail(id, { message, code, errno, syscall }) {
  process.send({ id, error: { message, code, errno, syscall } });
}
