import { expect, test } from "vitest";
import { commandLine } from "../command-line.ts";
import { completeWords } from "./complete-words.ts";

test.each([
  ["ru", { words: ["run"] }],
  ["run l", { words: ["list", "logs"] }],
  ["run list --sta", { words: ["--status"] }],
  ["run list --limit 5 --out", { words: ["--output"] }],
  ["run list -o ", { words: ["table", "json", "yaml", "name"] }],
  ["run list --workflow ", { names: "workflow" }],
  ["--team mill run watch ", { names: "run" }],
  ["run cancel one two ", { names: "run" }],
  ["workflow archive ", { names: "workflow" }],
  ["run list --view ", { names: "view" }],
  ["run bulk get ", { names: "bulk" }],
  ["list ", { names: "kind" }],
  ["get workflow ", { names: "thing", of: "workflow" }],
  ["get --global task ", { names: "thing", of: "task" }],
  ["delete schedule one ", { names: "thing", of: "schedule" }],
  ["workflow submit ", { names: "workflow" }],
  ["workflow submit nightly --param-file ", undefined],
  ["action approve ", { names: "action" }],
  ["context use ", { names: "context" }],
  ["completion ", { words: ["bash", "zsh", "fish"] }],
  ["task validate ", undefined],
  ["nothing of this ", { words: expect.arrayContaining(["run", "serve"]) }],
])("after %j comes %j", (line, expected) => {
  expect(completeWords(commandLine(), line.split(" "))).toEqual(expected);
});
