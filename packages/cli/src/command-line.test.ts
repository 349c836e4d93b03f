import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { build } from "esbuild";
import { afterEach, expect, test } from "vitest";
import { commandLine, pathOf, runCommandLine } from "./command-line.ts";
import { inKnownOrder } from "./commands/word-order.ts";

const wasExitCode = process.exitCode;
afterEach(() => {
  process.exitCode = wasExitCode;
});

async function run(...args: string[]) {
  const [out, error]: [string[], string[]] = [[], []];
  process.exitCode = undefined;
  await runCommandLine(args, {
    writeOut: (text) => void out.push(text),
    writeErr: (text) => void error.push(text),
    getOutHelpWidth: () => 80,
  });
  return { out: out.join(""), error: error.join(""), code: process.exitCode ?? 0 };
}

test("without a command it prints its help and succeeds", async () => {
  const { out, error, code } = await run();
  expect({ error, code }).toEqual({ error: "", code: 0 });
  expect(out).toMatch(/^Usage: millrace COMMAND/);
  expect(await run("help")).toMatchObject({ out, code: 0 });
  expect(await run("--help")).toMatchObject({ out, code: 0 });
});

test.each([
  [["serv"], "millrace: Unknown command 'serv' (Did you mean serve?)\nRun millrace --help for its usage.\n"],
  [["--port"], "millrace: Unknown option '--port'\nRun millrace --help for its usage.\n"],
  [["serve", "8080"], /^millrace: Too many arguments for 'serve'.*\nRun millrace serve --help /],
  [["db", "backup"], "millrace: Missing required argument 'FILE'\nRun millrace db backup --help for its usage.\n"],
  [["db", "dump"], "millrace: Unknown command 'dump'\nRun millrace db --help for its usage.\n"],
  [["db", "keys", "forget"], /^millrace: Missing required argument 'KEY-ID'\nRun millrace db keys forget --help /],
  [["doctor", "--jsn"], /^millrace: Unknown option '--jsn' \(Did you mean --json\?\)\n/],
])("%j is refused: exit code 2, and standard error says what is right", async (args, expected) => {
  const { out, error, code } = await run(...args);
  expect({ out, code }).toEqual({ out: "", code: 2 });
  if (typeof expected === "string") expect(error).toBe(expected);
  else expect(error).toMatch(expected);
});

test.each([
  [["--version"], "version"],
  [["-V", "--json"], "version --json"],
  [["workflow", "list"], "list workflow"],
  [["workflows", "list", "-o", "json"], "list workflows -o json"],
  [["team", "get", "demo"], "get team demo"],
  [["user", "list"], "list user"],
  [["list", "runs", "--status", "failed"], "run list --status failed"],
  [["get", "run", "list"], "run get list"],
  [["workflow", "run", "nightly"], "workflow submit nightly"],
  [["run", "start", "nightly"], "workflow submit nightly"],
  [["run", "describe", "1"], "run get 1"],
  [["describe", "run", "1"], "run get 1"],
  // Existing commands stay unchanged, and so do words that are no command in either order.
  [["list", "workflows"], "list workflows"],
  [["run", "list"], "run list"],
  [["token", "list"], "token list"],
  [["list", "weather"], "list weather"],
  [["weather", "list"], "weather list"],
  [["apply", "-f", "list"], "apply -f list"],
  [["db", "list"], "db list"],
])("%j is read as %s", (args, read) => {
  expect(inKnownOrder(commandLine(), args).join(" ")).toBe(read);
});

/** `npx vitest run -u packages/cli/src/command-line.test.ts` writes it. */
test("docs/cli.md shows the help of every command", async () => {
  const file = fileURLToPath(new URL("../../../docs/cli.md", import.meta.url));
  const [prose] = readFileSync(file, "utf8").split("\n## millrace\n");
  const sections = everyCommand(commandLine()).map((command) => `\n## ${pathOf(command)}\n\n\`\`\`text\n${helpOf(command)}\`\`\`\n`);
  await expect(`${prose}${sections.join("")}`).toMatchFileSnapshot(file);
});

function helpOf(command: Command): string {
  const parts: string[] = [];
  command.configureOutput({ writeOut: (text) => void parts.push(text), getOutHelpWidth: () => 80 }).outputHelp();
  return parts.join("");
}

function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}

test("starting the program doesn't load modules that few commands need, such as the tables of wide characters", async () => {
  const entry = fileURLToPath(new URL("millrace.ts", import.meta.url));
  const { metafile } = await build({
    ...{
      entryPoints: [entry],
      bundle: true,
      splitting: true,
      platform: "node",
      format: "esm",
      outdir: "out",
      write: false,
      metafile: true,
    },
    external: ["@millrace/server/*"],
  });
  const chunks = Object.values(metafile.outputs);
  const started = chunks.find(({ inputs }) => Object.keys(inputs).some((path) => path.endsWith("src/command-line.ts")));
  const byNeed = /node_modules\/(string-width|yaml)\//;
  expect(chunks.some(({ inputs }) => Object.keys(inputs).some((path) => byNeed.test(path)))).toBe(true);
  expect(Object.keys(started!.inputs).filter((path) => byNeed.test(path))).toEqual([]);
  const atOnce = started!.imports.filter(({ kind, external }) => kind === "import-statement" && external !== true);
  const loaded = atOnce.flatMap(({ path }) => Object.keys(metafile.outputs[path]!.inputs));
  expect(loaded.filter((path) => byNeed.test(path))).toEqual([]);
});
