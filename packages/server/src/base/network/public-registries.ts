/** Registries that everyone publishes to and nobody but their operators answers for: their hosts send an engine nowhere else. */
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
