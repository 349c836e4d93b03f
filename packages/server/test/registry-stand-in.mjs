// A registry of container images, as far as an engine needs one to pull: run in the network of the engine, with the port as its argument.
// Repositories: `open/…` are for everybody, `closed/…` take the password below, `slow/…` never answer, all others are not there.
// Every request is a line on its output.
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { gzipSync } from "node:zlib";

const password = `Basic ${Buffer.from("reader:s3cr3t-of-the-registry").toString("base64")}`;
const digestOf = (bytes) => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

/** A root file system without any file: the two empty blocks that end a tar. */
const tar = Buffer.alloc(1024);
const layer = gzipSync(tar);
const config = Buffer.from(
  JSON.stringify({ architecture: "amd64", os: "linux", config: {}, rootfs: { type: "layers", diff_ids: [digestOf(tar)] }, history: [{}] }),
);
const types = {
  manifest: "application/vnd.docker.distribution.manifest.v2+json",
  config: "application/vnd.docker.container.image.v1+json",
  layer: "application/vnd.docker.image.rootfs.diff.tar.gzip",
};
const manifest = Buffer.from(
  JSON.stringify({
    schemaVersion: 2,
    mediaType: types.manifest,
    config: { mediaType: types.config, size: config.length, digest: digestOf(config) },
    layers: [{ mediaType: types.layer, size: layer.length, digest: digestOf(layer) }],
  }),
);
const blobs = new Map([
  [digestOf(config), config],
  [digestOf(layer), layer],
]);

function refuse(response, status, code, message) {
  const headers = status === 401 ? { "www-authenticate": 'Basic realm="stand-in"' } : {};
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify({ errors: [{ code, message }] }));
}

function give(response, type, bytes) {
  response.writeHead(200, { "content-type": type, "content-length": bytes.length, "docker-content-digest": digestOf(bytes) }).end(bytes);
}

const server = createServer((request, response) => {
  process.stdout.write(`${request.method} ${request.url}\n`);
  const isKnown = request.headers.authorization === password;
  if (request.url === "/v2/")
    return isKnown ? give(response, "application/json", Buffer.from("{}")) : refuse(response, 401, "UNAUTHORIZED", "who are you?");
  const [, repository = "", kind, reference = ""] = /^\/v2\/(.+)\/(manifests|blobs)\/([^/]+)$/.exec(request.url) ?? [];
  if (repository.startsWith("closed/") && !isKnown) {
    const said = Buffer.from((request.headers.authorization ?? "").slice(6), "base64").toString();
    return refuse(response, 401, "DENIED", `access to ${repository} is refused for ${said || "nobody"}`);
  }
  if (repository.startsWith("slow/")) return undefined;
  const bytes = kind === "blobs" ? blobs.get(reference) : manifest;
  const isThere = /^(open|closed)\//.test(repository) && bytes && (!reference.startsWith("sha256:") || digestOf(bytes) === reference);
  if (!isThere) return refuse(response, 404, "MANIFEST_UNKNOWN", "manifest unknown");
  return give(response, kind === "blobs" ? "application/octet-stream" : types.manifest, bytes);
});
server.listen(Number(process.argv[2]), "127.0.0.1", () => process.stdout.write(`ready ${digestOf(manifest)}\n`));
