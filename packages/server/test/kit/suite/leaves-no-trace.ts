import { afterAll } from "vitest";

/** A test file that shares its process with others must leave it unchanged: environment, current folder, signal listeners. */
const before = traces();
afterAll(() => {
  const after = traces();
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter((name) => before.get(name) !== after.get(name));
  // Without the values, which may be secrets.
  if (changed.length > 0) throw new Error(`changed for the files after it: ${changed.join(", ")}`);
});

function traces(): Map<string, unknown> {
  const signals = process.eventNames().filter((name) => String(name).startsWith("SIG"));
  return new Map<string, unknown>([
    ["the current folder", process.cwd()],
    ...Object.entries(process.env),
    ...signals.map((name) => [`listeners of ${String(name)}`, process.listenerCount(name)] as const),
  ]);
}
