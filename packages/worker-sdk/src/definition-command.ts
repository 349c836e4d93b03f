#!/usr/bin/env node
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { definitionOf } from "./definition.ts";
import type { Task } from "./task.ts";

/** `millrace-worker definition MODULE [TASK]`: prints the documents of the tasks that the module exports as `tasks`. */
const [command, file, only] = process.argv.slice(2);

if (command !== "definition" || file === undefined) {
  process.stderr.write("usage: millrace-worker definition MODULE [TASK]\nThe module exports `tasks`: an object of tasks by name.\n");
  process.exit(2);
}

const { tasks } = (await import(pathToFileURL(resolve(file)).href)) as { tasks?: Record<string, Task> };
const chosen = Object.entries(tasks ?? {}).filter(([name]) => only === undefined || name === only);
if (chosen.length === 0) {
  process.stderr.write(tasks === undefined ? `${file} exports no tasks\n` : `${file} has no task ${only}\n`);
  process.exit(1);
}
process.stdout.write(chosen.map(([name, task]) => JSON.stringify(definitionOf(name, task), undefined, 2)).join("\n---\n"));
process.stdout.write("\n");
