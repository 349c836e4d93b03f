import type { DockerOptions } from "dockerode";

/** Addresses of engines that were installed the usual way. @param uid for the socket of a rootless Podman */
export function usualAddresses(uid: number): string[] {
  return [
    "unix:///var/run/docker.sock",
    "unix:///run/podman/podman.sock",
    ...(uid > 0 ? [`unix:///run/user/${uid}/podman/podman.sock`] : []),
  ];
}

/**
 * The options for the client. It reads `DOCKER_HOST` by itself and would prefer that, so every part of the address is given, including the
 * empty ones. It takes certificates for TLS from `DOCKER_CERT_PATH`.
 *
 * @param text `unix:///path`, `tcp://host:port` or `https://host:port`
 */
export function clientOptions(text: string): DockerOptions {
  if (text.startsWith("unix://")) return { socketPath: text.slice(7), host: undefined, port: undefined, protocol: "http" } as DockerOptions;
  const url = new URL(text.replace(/^tcp:/, "http:"));
  const isTls = url.protocol === "https:" || url.port === "2376";
  return { host: url.hostname, port: url.port || (isTls ? "2376" : "2375"), protocol: isTls ? "https" : "http" };
}
