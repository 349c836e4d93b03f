// Runs commands of the built program one after the other in this process, which has loaded it once. Its argument is the file of the command
// line. It gets commands by messages, and answers each with its end: the exit code, and what was written to the standard streams.
import { pathToFileURL } from "node:url";

const { runCommandLine } = await import(pathToFileURL(process.argv[2]));

process.on("message", async ({ args, env }) => {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.exitCode = undefined;
  const [out, error] = [capture(process.stdout), capture(process.stderr)];
  await runCommandLine(args);
  process.send({ code: process.exitCode ?? 0, out: out.join(""), error: error.join("") });
});
process.on("disconnect", () => process.exit(0));
process.send("ready");

/** Also calls back, as a stream does when a text is written. */
function capture(stream) {
  const texts = [];
  stream.write = (text, ...more) => {
    texts.push(String(text));
    more.find((one) => typeof one === "function")?.();
    return true;
  };
  return texts;
}
