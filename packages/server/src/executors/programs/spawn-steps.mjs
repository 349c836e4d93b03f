// Starts the processes of steps for the service (process/spawner.ts): this process is small, so forking it is cheap. It gets one message
// for each step, opens what the step's program is to have open, and answers with the process and, later, with its end. It ends with
// its channel, which is with the service. No argument and no variable of it holds anything of a task.
import { spawn } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";

const openFolder = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** Gates of the steps that wait at one, by the number of their request. */
const gates = new Map();

process.title = "millrace-spawner";
// The service says when to end: what ends a whole group of processes leaves it the time to end its steps.
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => undefined);
process.on("disconnect", () => process.exit());
process.on("message", ({ id, launch }) => {
  if (launch === undefined) return gates.get(id)?.end("1");
  try {
    start(id, launch);
  } catch (error) {
    fail(id, error);
  }
});

function start(id, { file, args, uid, gid, path, output, input, folders, filterFile, hasGate }) {
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
    const gate = hasGate ? ["pipe", "pipe"] : [];
    const rest = folders.map((folder) => open(folder, openFolder));
    // Opened for each step: what one has read of it, another one could not read again.
    if (filterFile !== undefined) rest.push(open(filterFile, "r"));
    // The service has it open for writing, so this does not wait.
    const readEnd = input === undefined ? "ignore" : open(input, "r");
    const stdio = [readEnd, writeEnd, writeEnd, ...gate, ...rest];
    const user = uid === undefined ? {} : { uid, gid };
    const child = spawn(file, args, { stdio, env: { PATH: path }, cwd: "/", detached: true, ...user });
    child.on("error", (error) => fail(id, error));
    child.on("exit", (code, signal) => {
      gates.delete(id);
      process.send({ id, code, signal });
    });
    if (child.pid === undefined) return;
    process.send({ id, pid: child.pid });
    if (hasGate) watchGate(id, child);
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

/** bubblewrap says which process is the first inside, and waits. */
function watchGate(id, { stdio: [, , , info, gate] }) {
  let text = "";
  info.on("error", () => undefined);
  gate.on("error", () => undefined);
  gates.set(id, gate);
  info.on("data", (chunk) => {
    text += chunk.toString("latin1");
    const inside = /"child-pid": (\d+)/.exec(text)?.[1];
    if (inside === undefined || !text.trimEnd().endsWith("}")) return;
    process.send({ id, inside: Number(inside) });
  });
}

function fail(id, { message, code, errno, syscall }) {
  process.send({ id, error: { message, code, errno, syscall } });
}
