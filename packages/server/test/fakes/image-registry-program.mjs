// A registry of container images (distribution API v2), as far as an engine needs one to pull, with one image under many names. It is a
// separate program so that it can run in the network of an engine. Repositories: `step` and `open/…` are for clients with the credentials
// or for everyone, see below; `closed/…` always require them; `slow/…` never respond; `limited/…` have exceeded their rate limit;
// `foreign/…` are for another platform; `annotated/…` have the same image with a manifest whose annotations a container runtime obeys;
// `variables/…` have one that asks for all variables of the engine; all others don't exist. Every request is a line of its output.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { gzipSync } from "node:zlib";

/**
 * @type {{ address: string, port: number, tar?: string, credentials?: string, isClosed: boolean }} isClosed: all repositories take
 *   the credentials
 */
const { address, port, tar, credentials, isClosed } = JSON.parse(process.argv[2]);
const password = credentials && `Basic ${Buffer.from(credentials).toString("base64")}`;
const digestOf = (bytes) => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

const ociLayerType = "application/vnd.oci.image.layer.v1.tar";
const layerType = "application/vnd.docker.image.rootfs.diff.tar";
/** The given file, or a root file system without any file: the two empty blocks that end a tar. */
async function readLayer() {
  if (tar) {
    const digest = digestOf(await readFile(tar));
    return { type: layerType, digest, size: (await stat(tar)).size, content: digest, open: () => createReadStream(tar) };
  }
  const empty = Buffer.alloc(1024);
  const bytes = gzipSync(empty);
  return { type: `${layerType}.gzip`, digest: digestOf(bytes), size: bytes.length, content: digestOf(empty), bytes };
}

const layer = await readLayer();
const configWith = (variables) =>
  Buffer.from(
    JSON.stringify({
      architecture: process.arch === "x64" ? "amd64" : process.arch,
      os: "linux",
      config: { Env: variables },
      rootfs: { type: "layers", diff_ids: [layer.content] },
      history: [{}],
    }),
  );
const config = configWith(["PATH=/bin"]);
const greedyConfig = configWith(["PATH=/bin", "*"]);
const manifestType = "application/vnd.docker.distribution.manifest.v2+json";
const manifestOf = (bytes) =>
  Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: manifestType,
      config: { mediaType: "application/vnd.docker.container.image.v1+json", size: bytes.length, digest: digestOf(bytes) },
      layers: [{ mediaType: layer.type, size: layer.size, digest: layer.digest }],
    }),
  );
const manifest = manifestOf(config);
const annotatedType = "application/vnd.oci.image.manifest.v1+json";
const annotated = Buffer.from(
  JSON.stringify({
    ...JSON.parse(String(manifest)),
    mediaType: annotatedType,
    config: { mediaType: "application/vnd.oci.image.config.v1+json", size: config.length, digest: digestOf(config) },
    layers: [{ mediaType: layer.bytes ? `${ociLayerType}+gzip` : ociLayerType, size: layer.size, digest: layer.digest }],
    annotations: { "run.oci.keep_original_groups": "1", "org.opencontainers.image.title": "annotated" },
  }),
);
const foreignType = "application/vnd.docker.distribution.manifest.list.v2+json";
const foreignManifest = { mediaType: manifestType, size: 3, digest: digestOf("none"), platform: { architecture: "s390x", os: "linux" } };
const foreign = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: foreignType, manifests: [foreignManifest] }));
const blobs = new Map([...[config, greedyConfig].map((bytes) => [digestOf(bytes), { bytes, size: bytes.length }]), [layer.digest, layer]]);

/** If part of it is open to everyone, clients get a token first, anonymously or with credentials; if nothing is, they need both. */
const challenge = () =>
  isClosed ? 'Basic realm="stand-in"' : `Bearer realm="http://${address}:${server.address().port}/token",service="stand-in"`;
const tokens = { known: "token-of-a-reader", nobody: "token-of-nobody" };

function giveToken(request, response) {
  const { authorization } = request.headers;
  if (authorization && authorization !== password) return refuse(response, 401, "UNAUTHORIZED", "these credentials are wrong");
  const token = authorization ? tokens.known : tokens.nobody;
  return give(response, "application/json", "", { bytes: Buffer.from(JSON.stringify({ token })), size: undefined });
}

function refuse(response, status, code, message) {
  const headers = status === 401 ? { "www-authenticate": challenge() } : {};
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify({ errors: [{ code, message }] }));
}

function give(response, type, digest, { bytes, size, open }) {
  const headers = size === undefined ? {} : { "content-length": size, "docker-content-digest": digest };
  response.writeHead(200, { "content-type": type, ...headers });
  if (open) open().pipe(response);
  else response.end(bytes);
}

function giveManifest(response, reference, { bytes, type }) {
  const digest = digestOf(bytes);
  const isThere = !reference.startsWith("sha256:") || digest === reference;
  if (!isThere) return refuse(response, 404, "MANIFEST_UNKNOWN", "manifest unknown");
  return give(response, type, digest, { bytes, size: bytes.length });
}

const server = createServer((request, response) => {
  // Proxies name the requested registry in the query.
  const [path] = request.url.split("?");
  process.stdout.write(`${request.method} ${path}\n`);
  const { authorization } = request.headers;
  if (path === "/token") return giveToken(request, response);
  const isKnown = !password || [password, `Bearer ${tokens.known}`].includes(authorization);
  if (path === "/v2/") {
    const bytes = Buffer.from("{}");
    return isKnown || authorization === `Bearer ${tokens.nobody}`
      ? give(response, "application/json", digestOf(bytes), { bytes, size: 2 })
      : refuse(response, 401, "UNAUTHORIZED", "who are you?");
  }
  const [, repository = "", kind, reference = ""] = /^\/v2\/(.+)\/(manifests|blobs)\/([^/]+)$/.exec(path) ?? [];
  if ((isClosed || repository.startsWith("closed/")) && !isKnown) {
    const said = /^Basic /.test(authorization ?? "") ? Buffer.from(authorization.slice(6), "base64").toString() : "nobody";
    return refuse(response, 401, "DENIED", `access to ${repository} is refused for ${said}`);
  }
  if (repository.startsWith("slow/")) return undefined;
  if (repository.startsWith("limited/")) return refuse(response, 429, "TOOMANYREQUESTS", "You have reached your pull rate limit");
  if (repository.startsWith("foreign/")) return give(response, foreignType, digestOf(foreign), { bytes: foreign, size: foreign.length });
  if (!/^(?:step$|open\/|closed\/|annotated\/|variables\/)/.test(repository))
    return refuse(response, 404, "MANIFEST_UNKNOWN", "manifest unknown");
  const plain = { bytes: repository.startsWith("variables/") ? manifestOf(greedyConfig) : manifest, type: manifestType };
  const given = repository.startsWith("annotated/") ? { bytes: annotated, type: annotatedType } : plain;
  if (kind === "manifests") return giveManifest(response, reference, given);
  const blob = blobs.get(reference);
  return blob ? give(response, "application/octet-stream", reference, blob) : refuse(response, 404, "BLOB_UNKNOWN", "blob unknown");
});
server.listen(port, address, () => process.stdout.write(`ready ${server.address().port} ${digestOf(manifest)}\n`));
