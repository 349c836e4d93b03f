import { absolutePath, anyText, oneOf, wholeNumber } from "./parse-value.ts";
import { optional, required } from "./setting.ts";

/** How a worker reaches the cluster that runs tasks as Jobs (`MILLRACE_EXECUTORS=kubernetes`), and what it makes there. */
export const kubernetesSettings = {
  kubernetesConfig: optional(
    "MILLRACE_KUBERNETES_CONFIG",
    "Absolute path of a kubeconfig; its current context is used.",
    absolutePath,
    "the service account of the pod in which the service runs, else the kubeconfig of its user",
  ),
  kubernetesNamespace: optional(
    "MILLRACE_KUBERNETES_NAMESPACE",
    "Namespace of the tasks, which should hold nothing else; `deploy/kubernetes/executor-rbac.yaml` has the rights.",
    anyText,
    "that of the service account or of the context",
  ),
  kubernetesInstance: required(
    "MILLRACE_KUBERNETES_INSTANCE",
    "millrace",
    "Tells installations apart that share a namespace: each takes care of what has its name.",
    anyText,
  ),
  kubernetesHelperImage: required(
    "MILLRACE_KUBERNETES_HELPER_IMAGE",
    "docker.io/library/busybox:1.36-musl",
    "Image with a static busybox as its shell, which holds the steps in every pod.",
    anyText,
  ),
  kubernetesPodTemplate: optional(
    "MILLRACE_KUBERNETES_POD_TEMPLATE",
    "Absolute path of a part of a PodSpec, YAML or JSON, that holds for all pods.",
    absolutePath,
    "none",
  ),
  kubernetesStorageClass: optional(
    "MILLRACE_KUBERNETES_STORAGE_CLASS",
    "Storage class of workspaces.",
    anyText,
    "the default of the cluster",
  ),
  kubernetesAccessMode: required(
    "MILLRACE_KUBERNETES_ACCESS_MODE",
    "ReadWriteOnce",
    "Access mode of workspaces that say nothing else.",
    oneOf("ReadWriteOnce", "ReadWriteMany", "ReadWriteOncePod"),
  ),
  kubernetesPendingSeconds: required(
    "MILLRACE_KUBERNETES_PENDING_SECONDS",
    "600",
    "How long a pod may wait for a quota, a node or an image.",
    wholeNumber(1, 86_400),
  ),
};
