/**
 * What a step runs. The line `#!` is read here and not by the kernel, so that a script runs from a folder mounted `noexec`, with CR LF
 * line ends and whatever the length of its first line, and is never refused as busy while another process starts.
 */
export interface StepScript {
  text: string;
  /** The interpreter with its one optional argument, as a kernel would start it. */
  interpreter: string[];
}

/** Tekton's default: the shell, which stops at the first command that fails. */
const defaultInterpreter = ["/bin/sh", "-e"];

/** @returns the script as it is written to its file, or what is wrong with its first line */
export function readScript(script: string): StepScript | { problem: string } {
  const firstEnd = script.indexOf("\n");
  const hasWindowsEnds = firstEnd > 0 && script[firstEnd - 1] === "\r";
  const text = hasWindowsEnds ? script.replaceAll("\r\n", "\n") : script;
  if (!text.startsWith("#!")) return { text, interpreter: defaultInterpreter };
  const line = (text.split("\n", 1)[0] ?? "").slice(2).trim();
  const [, path = "", argument = ""] = /^(\S+)\s*(.*)$/s.exec(line) ?? [];
  if (!path.startsWith("/"))
    return { problem: `its first line #!${line} names no interpreter by an absolute path, like #!/usr/bin/env python3` };
  return { text, interpreter: argument === "" ? [path] : [path, argument] };
}
