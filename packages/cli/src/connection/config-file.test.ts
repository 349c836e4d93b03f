import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { configFile, isOpenToOthers, readConfig, writeConfig } from "./config-file.ts";

const config = { current: "a", contexts: { a: { url: "https://a", token: "mrt_a" } } };

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "millrace-config-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

test("it is in the folder for settings of the user", () => {
  expect(configFile({ XDG_CONFIG_HOME: "/x", HOME: "/home/ann" })).toBe("/x/millrace/config.json");
  expect(configFile({ XDG_CONFIG_HOME: "", HOME: "/home/ann" })).toBe("/home/ann/.config/millrace/config.json");
});

test("the file is readable by its owner only, whatever was there before, and no temporary file stays", () => {
  const file = join(folder(), "millrace", "config.json");
  mkdirSync(join(file, ".."), { mode: 0o755 });
  writeFileSync(file, "{}", { mode: 0o644 });
  chmodSync(file, 0o644);
  expect(isOpenToOthers(file)).toBe(true);
  writeConfig(file, config);
  expect([modeOf(file), modeOf(join(file, "..")), isOpenToOthers(file)]).toEqual(["600", "700", false]);
  expect(readdirSync(join(file, ".."))).toEqual(["config.json"]);
  expect(readConfig(file)).toEqual(config);
});

test("a symbolic link to a file elsewhere stays a link", () => {
  const base = folder();
  mkdirSync(join(base, "millrace"));
  writeFileSync(join(base, "kept.json"), "{}");
  const file = join(base, "millrace", "config.json");
  symlinkSync(join(base, "kept.json"), file);
  writeConfig(file, config);
  expect(lstatSync(file).isSymbolicLink()).toBe(true);
  expect(JSON.parse(readFileSync(join(base, "kept.json"), "utf8"))).toEqual(config);
});

test("a missing file counts as empty; a damaged one is refused without showing its content", () => {
  const file = join(folder(), "config.json");
  expect(readConfig(file)).toEqual({ contexts: {} });
  for (const text of ['{ "contexts": { "a": { "token": "mrt_secret" } } }', "mrt_secret", "null", "[]"]) {
    writeFileSync(file, text);
    expect(() => readConfig(file)).toThrow(`${file} is damaged`);
  }
});
