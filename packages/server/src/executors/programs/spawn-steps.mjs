// Starts the processes of steps for the service (process/spawner.ts): this process is small, so forking it is cheap. It gets one message
// for each step, opens the files that the step's program has open, and responds with the process and, later, with its end. It ends with its
// channel to the service. Its arguments and variables contain nothing of a task.
import { spawn } from "node:child_process";
import { closeSync, constants, openSync, write } from "node:fs";
import { promisify } from "node:util";

/** Of sandboxes that were made ahead, by the id of their launch: what opens each of them. */
const gates = new Map();
const writeFile = promisify(write);
const openFolder = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

process.title = "millrace-spawner";
// Ignored, because the service decides when to end: after a signal to the whole process group it needs time to end its steps.
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => undefined);
process.on("disconnect", () => process.exit());
process.on("message", ({ id, launch, open }) => {
  try {
    if (launch) start(id, launch);
    else if (open) gates.get(id)?.();
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
    if (hasGate) watchGate(child, id, gateFiles, isAhead);
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

/**
 * bubblewrap reports which process is the first inside, and makes it wait. In the meantime it is added to its control groups, and may then
 * start, or waits until there is a step for it.
 */
function watchGate(child, id, gateFiles, isAhead) {
  const [, , , info, gate] = child.stdio;
  let text = "";
  let isWanted = !isAhead;
  let hasJoined = false;
  const pass = () => {
    if (!isWanted || !hasJoined) return;
    gates.delete(id);
    gate.end("1");
  };
  if (isAhead) {
    gates.set(id, () => {
      isWanted = true;
      pass();
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
    joinGroups(Number(pid), gateFiles).then(
      () => {
        hasJoined = true;
        pass();
      },
      // Without its limits it must not start. The usual reason is that it has already ended.
      () => kill(Number(pid)),
    );
  });
}

/** Moving a process blocks in the kernel for some milliseconds, so a thread does it: starts and ends of other steps don't wait for that. */
async function joinGroups(pid, files) {
  for (const path of files) {
    const file = openSync(path, "r+");
    try {
      await writeFile(file, String(pid));
    } finally {
      closeSync(file);
    }
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
