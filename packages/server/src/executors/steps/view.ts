import type { JobWorkspace } from "../../engine/executor.ts";

/** The paths of one attempt as its steps see them. */
export interface View {
  work: string;
  results: string;
  params: string;
  home: string;
  temp: string;
  /** Folder of the step files: script and environment. */
  steps: string;
  /** Undefined: steps bring their own, or none. */
  node: string | undefined;
  programs: string | undefined;
  /** The variable PATH; undefined: that of the image. */
  path: string | undefined;
  workspace(workspace: JobWorkspace): string;
}

/** Where programs are looked for in an ordinary file system. */
export const systemPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
