import { absolutePath, engineAddress } from "./parse-value.ts";
import { optional } from "./setting.ts";

/** How a worker reaches the container engine that runs steps in images (`MILLRACE_EXECUTORS=container`). */
export const containerSettings = {
  containerHost: optional(
    "MILLRACE_CONTAINER_HOST",
    "Where the container engine listens, Docker or Podman: `unix:///path/of/a.sock` or `tcp://host:port`. It must see the data folder at the same path.",
    engineAddress,
    "the value of `DOCKER_HOST`, otherwise the first of `/var/run/docker.sock` and the sockets of Podman that exists",
  ),
  dockerHost: optional("DOCKER_HOST", "Docker's own variable, used when `MILLRACE_CONTAINER_HOST` is not set.", engineAddress, "none"),
  containerRegistries: optional(
    "MILLRACE_CONTAINER_REGISTRIES",
    "Absolute path of a Docker `config.json` with `auths`: the credentials for pulling images. An entry with `teams`, a list of team IDs, is only for those teams. Read again for each pull.",
    absolutePath,
    "none",
  ),
};
