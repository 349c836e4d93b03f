import { publicRegistries } from "../base/network/public-registries.ts";
import { imagePattern, listOf } from "./parse-value.ts";
import { required } from "./setting.ts";

/** Which images tasks may run in, in containers and in a cluster. */
export const imageSettings = {
  imageRegistries: required(
    "MILLRACE_IMAGE_REGISTRIES",
    publicRegistries.join(","),
    "Registries that task images may come from, as `host` (default port only), `host:port` or `host/path`, separated by commas. `*` matches a part between slashes; alone it allows every registry on the public internet. A registry in a private network has to be listed. Registries in `MILLRACE_CONTAINER_REGISTRIES` are always allowed.",
    listOf(imagePattern, 0),
    "the large public registries listed in [containers.md](containers.md#images)",
  ),
  localImages: required(
    "MILLRACE_LOCAL_IMAGES",
    "",
    "Images that every team can use as the engine or the node has them, without asking a registry, for example images built there: `localhost/*,tool:1`.",
    listOf(imagePattern, 0),
    "none",
  ),
};
