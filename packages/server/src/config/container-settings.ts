import { absolutePath, engineAddress } from "./parse-value.ts";
import { optional } from "./setting.ts";

/** How a worker reaches the container engine that runs steps in images (`MILLRACE_EXECUTORS=container`). */
export const containerSettings = {
  containerHost: optional(
    "MILLRACE_CONTAINER_HOST",
    "Where the container engine listens, Docker or Podman: `unix:///path/of/a.sock` or `tcp://host:port`. It must see the data folder at the same path.",
    engineAddress,
    "what `DOCKER_HOST` says, else the first of `/var/run/docker.sock` and the sockets of Podman",
  ),
  dockerHost: optional(
    "DOCKER_HOST",
    "What Docker's own programs are told: taken where `MILLRACE_CONTAINER_HOST` is not given.",
    engineAddress,
    "none",
  ),
  containerRegistries: optional(
    "MILLRACE_CONTAINER_REGISTRIES",
    "Absolute path of a `config.json` of Docker with `auths`: the credentials that images are pulled with. An entry with `teams`, a list of their ids, is for these teams only. It is read again for each use.",
    absolutePath,
    "none",
  ),
};
