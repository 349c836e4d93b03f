import { exitCodes, Failure } from "../failure.ts";
import { readText } from "../read-text.ts";

export interface Param {
  name: string;
  value?: unknown;
}

/** @param text `name=text`, or `name:=JSON` for other values. @throws {Failure} */
export function readParam(text: string): Param {
  return readNamed(text, "--param");
}

/** Like `readParam`, for a result of a task. @throws {Failure} */
export function readResult(text: string): Param {
  return readNamed(text, "--result");
}

/** Like `readParam`, for a field of an action. @throws {Failure} */
export function readField(text: string): Param {
  return readNamed(text, "--field");
}

function readNamed(text: string, option: string): Param {
  const [, name, colon, value] = /^([^=]*?)(:?)=([\s\S]*)$/.exec(text) ?? [];
  // The value may be a secret, so it isn't repeated in the message.
  if (!name)
    throw new Failure(exitCodes.notUnderstood, `A value of ${option} has no name`, `Write ${option} NAME=TEXT or ${option} NAME:=JSON`);
  if (colon === "") return { name, value };
  try {
    return { name, value: JSON.parse(value!) };
  } catch {
    throw new Failure(exitCodes.notUnderstood, `The value of ${name} is not JSON`, `Quote texts, or write ${name}=TEXT`);
  }
}

/**
 * A YAML or JSON file with names and their values, or a list of `{name, value}`. A later value replaces an earlier one. @throws {Failure}
 */
export async function readParamFile(file: string): Promise<Param[]> {
  const { parseYaml } = await import("../output/yaml-text.ts");
  const text = readText(file);
  let content: unknown;
  try {
    content = parseYaml(text);
  } catch (error) {
    throw new Failure(exitCodes.notUnderstood, `${file} is not valid YAML: ${(error as Error).message.split("\n")[0]}`);
  }
  if (Array.isArray(content) && content.every((one) => typeof one?.name === "string")) return content as Param[];
  if (typeof content === "object" && content !== null && !Array.isArray(content))
    return Object.entries(content).map(([name, value]) => ({ name, value }));
  throw new Failure(exitCodes.notUnderstood, `${file} has no parameters`, "Write NAME: VALUE in each line");
}

/** Labels as `KEY=VALUE`. @throws {Failure} */
export function readLabels(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const [, key, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
      if (key === undefined) throw new Failure(exitCodes.notUnderstood, `${text} is not a label`, "Write --label KEY=VALUE");
      return [key, value!];
    }),
  );
}

/** `30s`, `5m`, `2h`, or seconds; returns milliseconds. @throws {Failure} */
export function readDuration(text: string): number {
  const [, count, unit = "s"] = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h)?$/.exec(text) ?? [];
  const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;
  const milliseconds = Number(count) * units[unit as keyof typeof units];
  if (!(milliseconds > 0 && milliseconds < 2 ** 31))
    throw new Failure(exitCodes.notUnderstood, `${text} is not a duration`, "Use a number and a unit, such as 90s, 10m or 2h");
  return milliseconds;
}
