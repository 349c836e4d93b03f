import type { PlacedJob } from "../../engine/executor.ts";
import { resolvePlace } from "../steps/places.ts";
import { imageView, type View } from "../steps/view.ts";
import { podFolders } from "./pod-scripts.ts";

/** Exit codes are written while other steps run, so they can't lie beside the scripts, which come from a Secret. */
const endsView: View = { ...imageView, steps: `${podFolders.shared}/ends` };

export function podPlace(job: PlacedJob, words: readonly string[]): string | undefined {
  return resolvePlace(words, job, words[0] === "steps" ? endsView : imageView);
}
