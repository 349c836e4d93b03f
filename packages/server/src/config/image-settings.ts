import { publicRegistries } from "../base/public-registries.ts";
import { imagePattern, listOf } from "./parse-value.ts";
import { required } from "./setting.ts";

/** Which images tasks may run in, in containers and in a cluster. */
export const imageSettings = {
  imageRegistries: required(
    "MILLRACE_IMAGE_REGISTRIES",
    publicRegistries.join(","),
    "Registries that images of tasks may come from, as `host` (its usual port only), `host:port` or `host/path` with commas between them; `*` stands for a part between slashes, and alone for every registry on the open internet. A registry in a closed network has to be named. Those with an entry in `MILLRACE_CONTAINER_REGISTRIES` need none here.",
    listOf(imagePattern, 0),
    "the large public ones, which [containers.md](containers.md#images) lists",
  ),
  localImages: required(
    "MILLRACE_LOCAL_IMAGES",
    "",
    "Images that every team may use as the engine or the node has them, without asking a registry: such as were built there, as `localhost/*,tool:1`.",
    listOf(imagePattern, 0),
    "none",
  ),
};
