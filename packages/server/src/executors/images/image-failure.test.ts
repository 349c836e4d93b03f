import { describe, expect, test } from "vitest";
import { startWork } from "../../../test/kit/processor-ms.ts";
import { describeImageFailure, type ImageCause, imageCause } from "./image-failure.ts";

/** Original messages of Docker 20.10 and Podman 4.3; those of Docker 28 and of nodes with containerd are taken from their sources. */
const name = "registry.example.com/team/tool";
const containerd = `failed to pull and unpack image "${name}:1": failed to resolve reference "${name}:1": `;
const head = `failed to do request: Head "https://${name}/manifests/1": `;
const podman = `initializing source docker://${name}:1: `;

const table: readonly [ImageCause, readonly string[]][] = [
  [
    "registry-away",
    [
      'Get "http://127.0.0.1:5999/v2/": dial tcp 127.0.0.1:5999: connect: connection refused',
      'Get "https://nohost.example/v2/": dial tcp: lookup nohost.example on 10.0.0.53:53: no such host',
      'Get "https://nohost.example/v2/": dial tcp: lookup nohost.example on 10.0.0.53:53: dial udp 10.0.0.53:53: connect: network is unreachable',
      'Get "http://127.0.0.1:6002/v2/": EOF',
      'Get "http://127.0.0.1:6002/v2/": http: server closed idle connection',
      'Get "http://127.0.0.1:6002/v2/": read tcp 127.0.0.1:53636->127.0.0.1:6002: read: connection reset by peer',
      'Get "http://127.0.0.1:6001/v2/": net/http: request canceled (Client.Timeout exceeded while awaiting headers)',
      'Get "https://registry.example.com/v2/": net/http: request canceled while waiting for connection (Client.Timeout exceeded while awaiting headers)',
      'Get "https://registry.example.com/v2/": context deadline exceeded',
      'Get "https://registry.example.com/v2/": net/http: TLS handshake timeout awaiting response headers',
      'Get "https://registry.example.com/v2/": x509: certificate signed by unknown authority',
      `${podman}pinging container registry registry.example.com: Get "http://registry.example.com/v2/": dial tcp 1.2.3.4:80: i/o timeout`,
      `${containerd}${head}dial tcp: lookup registry.example.com on 10.96.0.10:53: no such host`,
      `${containerd}${head}http: server gave HTTP response to HTTPS client`,
      `${containerd}${head}tls: failed to verify certificate: x509: certificate signed by unknown authority`,
      `${containerd}failed to authorize: failed to fetch oauth token: Post "https://auth.example.com/token": dial tcp 1.2.3.4:443: i/o timeout`,
    ],
  ],
  [
    "registry-fault",
    [
      "received unexpected HTTP status: 503 Service Unavailable",
      "error unmarshalling content: invalid character '<' looking for beginning of value",
      `${podman}pinging container registry registry.example.com: invalid status code from registry 503 (Service Unavailable)`,
      `${containerd}unexpected status from HEAD request to https://${name}/manifests/1: 500 Internal Server Error`,
    ],
  ],
  [
    "credentials",
    [
      `Head "http://127.0.0.1:6004/v2/a/b/manifests/t": no basic auth credentials`,
      "denied",
      "pull access denied for nosuch, repository does not exist or may require 'docker login': denied: requested access to the resource is denied",
      "Get https://registry.example.com/v2/: unauthorized: incorrect username or password",
      `${podman}reading manifest 1 in ${name}: unauthorized`,
      `${containerd}pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed`,
      `${containerd}failed to authorize: failed to fetch anonymous token: unexpected status from GET request to https://auth.example.com/token: 403 Forbidden`,
      "denied: no space left on device",
    ],
  ],
  [
    "missing",
    [
      "manifest unknown",
      `manifest for ${name}:1 not found: manifest unknown: manifest unknown`,
      `${podman}reading manifest 1 in ${name}: manifest unknown`,
      `rpc error: code = NotFound desc = ${containerd}${name}:1: not found`,
      `Container image "${name}:1" is not present with pull policy of Never`,
    ],
  ],
  [
    "platform",
    [
      "no matching manifest for linux/amd64 in the manifest list entries",
      `choosing an image from manifest list docker://${name}:1: no image found in manifest list for architecture amd64, variant "", OS linux`,
      `${containerd}no match for platform in manifest: not found`,
      'image operating system "windows" cannot be used on this platform',
    ],
  ],
  [
    "disk-full",
    [
      "write /var/lib/docker/tmp/GetImageBlob123: no space left on device",
      "failed to register layer: mkdir /usr: no space left on device",
      `writing blob: adding layer with blob "sha256:00": unpacking failed (error: exit status 1; output: write /x: disk quota exceeded)`,
      `failed to pull and unpack image "${name}:1": failed to extract layer sha256:00: write /var/lib/containerd/x: no space left on device: unknown`,
    ],
  ],
  [
    "rate-limit",
    [
      "toomanyrequests: You have reached your pull rate limit. You may increase the limit by authenticating and upgrading",
      `${podman}pinging container registry registry.example.com: too many requests to registry`,
      `${containerd}unexpected status from HEAD request to https://${name}/manifests/1: 429 Too Many Requests - Server message: toomanyrequests`,
    ],
  ],
  ["unknown", ["unknown: no space left on device", "image has no layers", ""]],
];

for (const [cause, said] of table) {
  test.each(said)(`${cause}: %s`, (words) => expect(imageCause(words, name)).toBe(cause));
}

describe("names of images that look like a cause of a failure", () => {
  test.each([
    ["registry.example.com/denied/not-found", 'Get "https://registry.example.com/v2/denied/not-found/manifests/429": EOF'],
    ["registry.example.com/unauthorized", 'Head "https://registry.example.com/v2/unauthorized/manifests/1": dial tcp 1.2.3.4: i/o timeout'],
    [
      "registry.example.com/x/404",
      "initializing source docker://registry.example.com/x/404:403: reading manifest 403 in registry.example.com/x/404: EOF",
    ],
  ])("%s is only a name", (image, words) => expect(imageCause(words, image)).toBe("registry-away"));
});

test("the sentence names image, registry and remedy, and never calls the machine's fault the registry's", () => {
  const tell = (words: string, wereGiven = false) =>
    describeImageFailure({
      cause: imageCause(words, name),
      image: `${name}:1`,
      registry: "registry.example.com",
      puller: "the container engine",
      words,
      credentials: { setting: "MILLRACE_CONTAINER_REGISTRIES", wereGiven },
    });
  expect(tell("dial tcp 1.2.3.4:443: connect: connection refused")).toBe(
    `the image ${name}:1 can't be pulled: the registry registry.example.com can't be reached: nothing listens there; check its address and the network of the container engine (dial tcp 1.2.3.4:443: connect: connection refused)`,
  );
  expect(tell("unauthorized", true)).toContain("refuses the credentials for it; correct them in MILLRACE_CONTAINER_REGISTRIES");
  expect(tell("unauthorized")).toContain("does not have it, or requires credentials; check the name, or add credentials in");
  expect(tell("manifest unknown")).toContain("the registry registry.example.com does not have it; check its name");
  const full = tell("write /x: no space left on device");
  expect(full).toContain("the disk of the container engine is full; free some space there");
  expect(full).not.toContain("the registry");
});

test.each(["token ", "no image found in ", "password "])("an endless response %s of a registry blocks nothing", (words) => {
  const expectWithin = startWork();
  const failure = {
    cause: imageCause(words.repeat(100_000), "r.example/a"),
    image: "a",
    registry: "r.example",
    puller: "the container engine",
  };
  const text = describeImageFailure({ ...failure, words: words.repeat(100_000), credentials: { setting: "X" } });
  expect(text.length).toBeLessThan(5_000);
  expectWithin(2_000);
});
