import { absolutePath, imageName, kubernetesName, oneOf, wholeNumber } from "./parse-value.ts";
import { optional, required } from "./setting.ts";

/** How a worker reaches the cluster that runs tasks as Jobs (`MILLRACE_EXECUTORS=kubernetes`). */
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
