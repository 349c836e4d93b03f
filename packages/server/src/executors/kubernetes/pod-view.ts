import type { PlacedJob } from "../../engine/executor.ts";
import { resolvePlace } from "../steps/places.ts";
import { sandboxView } from "../steps/sandbox-view.ts";
import type { View } from "../steps/view.ts";
import { podFolders } from "./pod-scripts.ts";

/** The paths that steps see in a pod. */
export const podView: View = sandboxView(false);

/** Exit codes are written while other steps run, so they can't lie beside the scripts, which come from a Secret. */
const endsView: View = { ...podView, steps: `${podFolders.shared}/ends` };

export function podPlace(job: PlacedJob, words: readonly string[]): string | undefined {
  const [root, ...rest] = words;
  // An image brings its own programs, or none.
  if (root === "context" && ["node.path", "programs.path"].includes(rest.join("."))) return undefined;
  return resolvePlace(words, job, root === "steps" ? endsView : podView);
}
