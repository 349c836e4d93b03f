import { logLevels } from "../base/process/log.ts";
import {
  absolutePath,
  anyText,
  engineAddress,
  imageName,
  imagePattern,
  kubernetesName,
  listOf,
  oneOf,
  secretToken,
  trueOrFalse,
  wholeNumber,
} from "./parse-value.ts";
import { optional, required } from "./setting.ts";

/** The role of the process: where it listens, what it does, and its initial content. */
export const processSettings = {
  host: required(
    "MILLRACE_HOST",
    "127.0.0.1",
    "Address to listen on. `0.0.0.0` or `::` makes the service reachable from the network.",
    anyText,
  ),
  port: required("MILLRACE_PORT", "8080", "Port to listen on. `0` uses a free port, shown in the ready line.", wholeNumber(0, 65_535)),
  healthPort: optional(
    "MILLRACE_HEALTH_PORT",
    "Port on which a process without the role `api` serves `/health`, `/ready` and `/metrics`. `0` uses a free port, shown in the ready line.",
    wholeNumber(0, 65_535),
    "such a process does not listen",
  ),
  bodyLimitBytes: required("MILLRACE_BODY_LIMIT_BYTES", "1048576", "Maximum size of a request body.", wholeNumber(1_024, 104_857_600)),
  dataDir: required(
    "MILLRACE_DATA_DIR",
    ".millrace",
    "Folder for everything that this instance stores on disk. A relative path is resolved from the root of the repository.",
    anyText,
  ),
  roles: required(
    "MILLRACE_ROLES",
    "api,engine,worker",
    "Roles of this process: serve requests (`api`), advance runs (`engine`), execute tasks (`worker`).",
    listOf(oneOf("api", "engine", "worker"), 1),
  ),
  adminToken: optional(
    "MILLRACE_ADMIN_TOKEN",
    "A token with all permissions that exists from the start and activates the instance: at least 20 printable characters. If not set, one is generated and written to `admin-token` in the data folder.",
    secretToken,
    "generated at the first start",
  ),
  seed: required(
    "MILLRACE_SEED",
    "true",
    "If `false`, the team `getting-started` is not created at the first start. The global tasks are always created.",
    trueOrFalse,
  ),
  logFormat: required(
    "MILLRACE_LOG_FORMAT",
    "auto",
    "`json`: one JSON object a line; `text`: lines for people; `auto`: text at a terminal, otherwise JSON.",
    oneOf("auto", "json", "text"),
  ),
  logRequests: required(
    "MILLRACE_LOG_REQUESTS",
    "false",
    "If `true`, each request is logged at the level `info`, otherwise at `debug`.",
    trueOrFalse,
  ),
  logLevel: required("MILLRACE_LOG_LEVEL", "info", `Lowest level of messages to log: ${logLevels.join(", ")}.`, oneOf(...logLevels)),
};

/** How a worker connects to the container engine that runs steps in images (`MILLRACE_EXECUTORS=container`). */
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

/** How a worker connects to the cluster that runs tasks as Jobs (`MILLRACE_EXECUTORS=kubernetes`). */
export const kubernetesSettings = {
  kubernetesConfig: optional(
    "MILLRACE_KUBERNETES_CONFIG",
    "Absolute path of a kubeconfig. Its current context is used.",
    absolutePath,
    "the service account in a pod, otherwise the default file (`KUBECONFIG`, `~/.kube/config`)",
  ),
  kubernetesNamespace: optional(
    "MILLRACE_KUBERNETES_NAMESPACE",
    "Namespace for the Jobs. `deploy/kubernetes/executor-rbac.yaml` creates one with the required permissions.",
    kubernetesName,
    "that of the service account or of the context",
  ),
  kubernetesHelperImage: required(
    "MILLRACE_KUBERNETES_HELPER_IMAGE",
    "busybox:1.37-musl",
    "Image with a statically linked busybox as its shell. One container of each pod runs it, and its busybox starts the steps.",
    imageName,
  ),
  kubernetesPodTemplate: optional(
    "MILLRACE_KUBERNETES_POD_TEMPLATE",
    "Absolute path of a file with a partial PodSpec (YAML or JSON) that is added to all pods: node selector, tolerations, affinity, service account, image pull secrets, priority and runtime class, user and groups.",
    absolutePath,
    "none",
  ),
  kubernetesStorageClass: optional(
    "MILLRACE_KUBERNETES_STORAGE_CLASS",
    "Storage class of the volumes for workspaces.",
    kubernetesName,
    "the cluster's default class",
  ),
  kubernetesAccessMode: required(
    "MILLRACE_KUBERNETES_ACCESS_MODE",
    "ReadWriteOnce",
    "Access mode of the volumes for workspaces. With `ReadWriteOnce`, tasks that share a workspace at the same time must run on one node.",
    oneOf("ReadWriteOnce", "ReadWriteMany", "ReadWriteOncePod"),
  ),
  kubernetesPendingSeconds: required(
    "MILLRACE_KUBERNETES_PENDING_SECONDS",
    "600",
    "How long a pod may wait for a quota, a node or an image before its task fails with that reason.",
    wholeNumber(5, 86_400),
  ),
};

/** Public registries, to which anyone can publish. Only their operators control their hosts, which don't redirect an engine elsewhere. */
export const publicRegistries = [
  "docker.io",
  "ghcr.io",
  "quay.io",
  "gcr.io",
  "*.gcr.io",
  "*.pkg.dev",
  "registry.k8s.io",
  "public.ecr.aws",
  "mcr.microsoft.com",
  "registry.gitlab.com",
  "registry.access.redhat.com",
  "registry.redhat.io",
  "cgr.dev",
  "nvcr.io",
  "docker.elastic.co",
];

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
