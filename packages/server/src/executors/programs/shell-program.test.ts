import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, expect, test } from "vitest";
import { repositoryRoot } from "../../base/file/repository-root.ts";
import { systemPath } from "../../base/process/system-path.ts";
import { sidecarContainerName } from "../kubernetes/pod/container-parts.ts";
import { podFolders, scriptFiles } from "../kubernetes/pod/pod-scripts.ts";
import { shellProgram, withoutComments } from "./shell-program.ts";

const source = join(repositoryRoot, "packages/server/src");
const filesIn = (folder: string, ending: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(ending));
const names = filesIn(join(source, "executors/programs"), ".sh").map((name) => name.slice(0, -".sh".length));
const written = (name: string) => readFileSync(join(source, "executors/programs", `${name}.sh`), "utf8");

/** The program as a shell has parsed it: everything that it would run, without comments. */
function understood(program: string): string {
  return execFileSync("bash", ["-c", 'eval "program() {\n$1\n}"; declare -f program', "bash", program], { encoding: "utf8" });
}

describe.each(names)("%s.sh", (name) => {
  test("says at the top what runs it, and stays the same program without its comments", () => {
    expect(written(name)).toMatch(/^#!\/bin\/sh\n(# shellcheck .*\n)?# [A-Z]/);
    expect(shellProgram(name)).not.toMatch(/^[ \t]*#/m);
    expect(understood(shellProgram(name))).toBe(understood(written(name)));
  });

  test("is run by one place", () => {
    const users = filesIn(join(source, "executors"), ".ts").filter(
      (file) => !file.endsWith(".test.ts") && readFileSync(join(source, "executors", file), "utf8").includes(`shellProgram("${name}")`),
    );
    expect(users).toHaveLength(1);
  });
});

test("only whole lines are comments", () => {
  expect(withoutComments('#!/bin/sh\n# why\n\n  # more\necho "${x#0}" # kept\n')).toBe('echo "${x#0}" # kept\n');
});

test("the programs of a pod use the same names of folders and files as the worker, and no others", () => {
  const known = [
    ...Object.values(podFolders),
    ...Object.values(scriptFiles).map((file) => `${podFolders.fixed}/${file}`),
    // The folder in which the container engine mounts them.
    posix.dirname(podFolders.own),
    `${posix.dirname(podFolders.own)}/`,
    `${podFolders.volumes}/`,
    `${podFolders.volumes}/${sidecarContainerName(0).slice(0, -1)}`,
    `${podFolders.fixed}/${scriptFiles.requestOf(0).slice(0, -1)}`,
    ...["work", "results", "home", "tmp"].map((part) => `${podFolders.task}/${part}`),
    `${podFolders.control}/ready`,
    `${podFolders.control}/found`,
  ];
  const named = names
    .filter((name) => name.startsWith("pod/"))
    .flatMap((name) => shellProgram(name).match(/(?<![\w./$}-])\/(?:run|task)\b[\w./-]*/g) ?? []);
  expect(named.filter((path) => !known.includes(path))).toEqual([]);
  expect(named).toEqual(expect.arrayContaining([podFolders.control, podFolders.own, `${podFolders.fixed}/${scriptFiles.plan}`]));
  expect(shellProgram("pod/launch")).toContain(`\${PATH:=${systemPath}}`);
});
