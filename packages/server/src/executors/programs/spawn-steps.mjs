// Starts the processes of steps for the service (process/spawner.ts): this process is small, so forking it is cheap. It gets one message
// for each step, opens the files that the step's program has open, and responds with the process and, later, with its end. It ends with its
// channel to the service. Its arguments and variables contain nothing of a task.
import { spawn } from "node:child_process";
import { closeSync, constants, openSync, writeSync } from "node:fs";

/** Of sandboxes that were made ahead, by the id of their launch: what opens each of them. */
const gates = new Map();
const openFolder = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

process.title = "millrace-spawner";
// Ignored, because the service decides when to end: after a signal to the whole process group it needs time to end its steps.
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => undefined);
process.on("disconnect", () => process.exit());
process.on("message", ({ id, launch, open }) => {
  try {
    if (launch) start(id, launch);
    else gates.get(id)?.(open);
  } catch (error) {
    fail(id, error);
  }
});

function start(id, { file, args, uid, gid, path, output, input, folders, filterFile, gateFiles, isAhead }) {
  const opened = [];
  const open = (name, flags) => {
    const descriptor = openSync(name, flags);
    opened.push(descriptor);
    return descriptor;
  };
  try {
    // If nothing reads the pipe any more, opening it only for writing would block forever, and with it all other steps.
    open(output, "r+");
    const writeEnd = open(output, "w");
    const hasGate = isAhead || gateFiles.length > 0;
    const gate = hasGate ? ["pipe", "pipe"] : [];
    const rest = folders.map((folder) => open(folder, openFolder));
    // Opened for each step: what one has read of it, another one could not read again.
    if (filterFile !== undefined) rest.push(open(filterFile, "r"));
    // The service has it open for writing, so this does not block.
    const readEnd = input === undefined ? "ignore" : open(input, "r");
    const stdio = [readEnd, writeEnd, writeEnd, ...gate, ...rest];
    const user = uid === undefined ? {} : { uid, gid };
    const child = spawn(file, args, { stdio, env: { PATH: path }, cwd: "/", detached: true, ...user });
    child.on("error", (error) => fail(id, error));
    child.on("exit", (code, signal) => process.send({ id, code, signal }));
    if (child.pid === undefined) return;
    process.send({ id, pid: child.pid });
    if (hasGate) watchGate(child, id, isAhead ? undefined : gateFiles);
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

/**
 * bubblewrap reports which process is the first inside, and makes it wait. In the meantime it is added to its control groups, and may then
 * start. Moving a process can block in the kernel for some milliseconds. All such moves wait for each other, so a thread for each would
 * gain nothing, and the service itself does not wait.
 *
 * @param gateFiles undefined: they are named when the gate opens
 */
function watchGate(child, id, gateFiles) {
  const [, , , info, gate] = child.stdio;
  let text = "";
  let inside;
  const pass = (files) => {
    if (inside === undefined || files === undefined) return;
    gates.delete(id);
    if (joinGroups(inside, files)) gate.end("1");
  };
  if (gateFiles === undefined) {
    gates.set(id, (files) => {
      gateFiles = files;
      pass(files);
    });
  }
  child.on("exit", () => gates.delete(id));
  info.on("error", () => undefined);
  gate.on("error", () => undefined);
  info.on("data", (chunk) => {
    text += chunk.toString("latin1");
    const pid = /"child-pid": (\d+)/.exec(text)?.[1];
    if (pid === undefined || !text.trimEnd().endsWith("}")) return;
    info.removeAllListeners("data").resume();
    inside = Number(pid);
    pass(gateFiles);
  });
}

/** @returns whether it was added; without its limits it must not start. The usual reason for false is that it has already ended. */
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
