import { absolutePath, imageName, kubernetesName, oneOf, wholeNumber } from "./parse-value.ts";
import { optional, required } from "./setting.ts";

/** How a worker reaches the cluster that runs tasks as Jobs (`MILLRACE_EXECUTORS=kubernetes`). */
export const kubernetesSettings = {
  kubernetesConfig: optional(
    "MILLRACE_KUBERNETES_CONFIG",
    "Absolute path of a kubeconfig; its current context is used.",
    absolutePath,
    "in a pod its service account, else the usual file (`KUBECONFIG`, `~/.kube/config`)",
  ),
  kubernetesNamespace: optional(
    "MILLRACE_KUBERNETES_NAMESPACE",
    "Namespace of the Jobs. `deploy/kubernetes/executor-rbac.yaml` makes one, with the rights that are needed in it.",
    kubernetesName,
    "that of the service account or of the context",
  ),
  kubernetesHelperImage: required(
    "MILLRACE_KUBERNETES_HELPER_IMAGE",
    "busybox:1.37-musl",
    "Image with a static busybox as its shell; one container of each pod runs in it, and its busybox starts the steps.",
    imageName,
  ),
  kubernetesPodTemplate: optional(
    "MILLRACE_KUBERNETES_POD_TEMPLATE",
    "Absolute path of a file with a part of a PodSpec, YAML or JSON, that all pods get: node selector, tolerations, affinity, service account, image pull secrets, priority and runtime class, user and groups.",
    absolutePath,
    "none",
  ),
  kubernetesStorageClass: optional(
    "MILLRACE_KUBERNETES_STORAGE_CLASS",
    "Storage class of the volumes that hold workspaces.",
    kubernetesName,
    "the default class of the cluster",
  ),
  kubernetesAccessMode: required(
    "MILLRACE_KUBERNETES_ACCESS_MODE",
    "ReadWriteOnce",
    "Access mode of these volumes. With `ReadWriteOnce` tasks that share a workspace at the same time must be on one node.",
    oneOf("ReadWriteOnce", "ReadWriteMany", "ReadWriteOncePod"),
  ),
  kubernetesPendingSeconds: required(
    "MILLRACE_KUBERNETES_PENDING_SECONDS",
    "600",
    "How long a pod may wait for a quota, a node or an image before its task fails with the reason.",
    wholeNumber(5, 86_400),
  ),
};
