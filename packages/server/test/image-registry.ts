import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ImageRegistry {
  /** `http://ADDRESS:PORT` */
  url: string;
  /** Digest of the image's manifest. */
  digest: string;
  /** How often a manifest was given out. */
  pulls(): number;
  close(): Promise<void>;
}

interface RegistryOptions {
  /** Address of this machine to listen on. */
  address: string;
  /** Tar of the file system of its one image, `/step:1`. */
  tar: string;
  /** `user:password`; absent: anybody may pull. */
  credentials?: string;
}

const manifestType = "application/vnd.docker.distribution.manifest.v2+json";
const digestOf = (bytes: string | Buffer) => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

/** The part of a registry (distribution API v2) that a pull needs, with one image in it. */
export async function startImageRegistry({ address, tar, credentials }: RegistryOptions): Promise<ImageRegistry> {
  const layer = { digest: digestOf(await readFile(tar)), size: (await stat(tar)).size };
  const config = JSON.stringify({
    architecture: process.arch === "x64" ? "amd64" : process.arch,
    os: "linux",
    config: { Env: ["PATH=/bin"] },
    rootfs: { type: "layers", diff_ids: [layer.digest] },
  });
  const manifest = JSON.stringify({
    schemaVersion: 2,
    mediaType: manifestType,
    config: { mediaType: "application/vnd.docker.container.image.v1+json", size: config.length, digest: digestOf(config) },
    layers: [{ mediaType: "application/vnd.docker.image.rootfs.diff.tar", ...layer }],
  });
  const digest = digestOf(manifest);
  let pulls = 0;
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    // The query names the registry that is meant, for proxies.
    const path = request.url?.split("?")[0];
    const wanted = credentials && `Basic ${Buffer.from(credentials).toString("base64")}`;
    if (wanted && request.headers.authorization !== wanted) {
      response.writeHead(401, { "www-authenticate": 'Basic realm="test"' }).end();
    } else if (path === "/v2/") {
      response.writeHead(200).end("{}");
    } else if (path === "/v2/step/manifests/1" || path === `/v2/step/manifests/${digest}`) {
      pulls += request.method === "GET" ? 1 : 0;
      const headers = { "content-type": manifestType, "content-length": manifest.length, "docker-content-digest": digest };
      response.writeHead(200, headers).end(request.method === "HEAD" ? undefined : manifest);
    } else if (path === `/v2/step/blobs/${digestOf(config)}`) {
      response.writeHead(200).end(config);
    } else if (path === `/v2/step/blobs/${layer.digest}`) {
      createReadStream(tar).pipe(response.writeHead(200, { "content-length": layer.size }));
    } else {
      const errors = [{ code: "MANIFEST_UNKNOWN", message: "not known" }];
      response.writeHead(404, { "content-type": "application/json" }).end(JSON.stringify({ errors }));
    }
  };
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  const close = () => new Promise<void>((resolve) => void server.close(() => resolve()).closeAllConnections());
  return { url: `http://${address}:${(server.address() as AddressInfo).port}`, digest, pulls: () => pulls, close };
}
