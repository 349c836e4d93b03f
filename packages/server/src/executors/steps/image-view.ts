import { sandboxView } from "./sandbox-view.ts";
import type { View } from "./view.ts";

/** The view of a step in an image of its own: the paths of the sandbox, and no programs but those of the image. */
export const imageView: View = { ...sandboxView(false), node: undefined, path: undefined };
