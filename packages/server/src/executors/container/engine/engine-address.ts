import type { DockerOptions } from "dockerode";

/** Where engines listen that were installed the usual way. @param uid for the socket of a Podman without root */
export function usualAddresses(uid: number): string[] {
  return [
    "unix:///var/run/docker.sock",
    "unix:///run/podman/podman.sock",
    ...(uid > 0 ? [`unix:///run/user/${uid}/podman/podman.sock`] : []),
  ];
}

/**
 * What the client is given. It reads `DOCKER_HOST` by itself and would prefer it, so every part of the address is given, also the
 * empty ones; certificates for TLS it takes from `DOCKER_CERT_PATH`.
 *
 * @param text `unix:///path`, `tcp://host:port` or `https://host:port`
 */
export function clientOptions(text: string): DockerOptions {
  if (text.startsWith("unix://")) return { socketPath: text.slice(7), host: undefined, port: undefined, protocol: "http" } as DockerOptions;
  const url = new URL(text.replace(/^tcp:/, "http:"));
  const isTls = url.protocol === "https:" || url.port === "2376";
  return { host: url.hostname, port: url.port || (isTls ? "2376" : "2375"), protocol: isTls ? "https" : "http" };
}
