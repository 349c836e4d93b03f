import type { Attempt } from "../folders/attempt-folder.ts";
import type { View } from "../steps/view.ts";
import { systemPath } from "../steps/view.ts";

/** The view of a step that sees the machine's own files. */
export function plainView(attempt: Attempt, bin: string, programsDir: string | undefined): View {
  const writable = (part: string): string => `${attempt.writable}/${part}`;
  return {
    work: writable("work"),
    results: writable("results"),
    home: writable("home"),
    temp: writable("tmp"),
    params: `${attempt.fixed}/params`,
    steps: `${attempt.fixed}/steps`,
    node: `${bin}/node`,
    programs: programsDir,
    path: `${systemPath}:${bin}`,
    workspace: (workspace) => workspace.source,
  };
}
