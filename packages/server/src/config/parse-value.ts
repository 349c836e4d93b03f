import { isIP } from "node:net";
import { isAbsolute } from "node:path";
import { StartError } from "../base/error/start-error.ts";
import { readEmail } from "../base/text/email.ts";
import { joinEndpoint, splitEndpoint } from "../base/text/endpoint-text.ts";
import { isLabel } from "../base/text/label.ts";

/** Turns the text of a setting into its value, or throws a WrongValue that describes valid values. */
export type Parse<T> = (text: string) => T;

/** A description of valid values, to follow "must be". */
class WrongValue extends Error {}

export const anyText: Parse<string> = (text) => text;

export function oneOf<const T extends string>(...values: readonly T[]): Parse<T> {
  return (text) => {
    const found = values.find((value) => value === text);
    if (found === undefined) throw new WrongValue(`one of ${values.join(", ")}`);
    return found;
  };
}

export const trueOrFalse: Parse<boolean> = (text) => oneOf("true", "false")(text) === "true";

export const autoOr: Parse<boolean | "auto"> = (text) => {
  const word = oneOf("auto", "true", "false")(text);
  return word === "auto" ? word : word === "true";
};

export function wholeNumber(min: number, max: number): Parse<number> {
  return (text) => {
    const value = Number(text);
    if (!/^\d{1,15}$/.test(text) || value < min || value > max) throw new WrongValue(`a whole number from ${min} to ${max}`);
    return value;
  };
}

/** Words separated by commas, without duplicates. */
export function listOf<T extends string>(parseWord: Parse<T>, minCount: number): Parse<T[]> {
  return (text) => {
    const words = text.split(",").map((word) => word.trim());
    const list = [...new Set(words.filter((word) => word !== "").map(parseWord))];
    if (list.length < minCount) throw new WrongValue("a list of names separated by commas");
    return list;
  };
}

/** 20 or more characters that need no encoding in a header. */
export const secretToken: Parse<string> = (text) => {
  if (!/^[\x21-\x7e][\x20-\x7e]{18,998}[\x21-\x7e]$/.test(text)) {
    throw new WrongValue("20 to 1000 printable ASCII characters without a space at either end (not shown here)");
  }
  return text;
};

/** As tasks ask for it. */
export const workerLabel: Parse<string> = (text) => {
  if (!isLabel(text)) throw new WrongValue("a list of labels such as linux,zone:eu-1 separated by commas, without spaces in a label");
  return text;
};

/** A folder or a bucket. */
export type WorkspaceStoreAddress =
  | { kind: "folder"; path: string }
  | { kind: "s3"; bucket: string; prefix: string; endpoint?: string; region?: string };

export const workspaceStore: Parse<WorkspaceStoreAddress> = (text) => {
  if (isAbsolute(text)) return { kind: "folder", path: text };
  const url = /^s3:/i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  const unknown = url && [...url.searchParams.keys()].find((name) => name !== "endpoint" && name !== "region");
  const endpoint = url?.searchParams.get("endpoint") ?? undefined;
  const isBare = url !== undefined && url.hostname !== "" && url.username === "" && url.port === "" && url.hash === "";
  if (!isBare || unknown !== undefined || (endpoint !== undefined && !isServiceUrl(endpoint)))
    throw new WrongValue(
      "an absolute path, or a bucket such as s3://bucket/prefix?region=eu-central-1 or s3://bucket?endpoint=https://minio.internal:9000 (credentials come from the environment)",
    );
  const region = url.searchParams.get("region") ?? undefined;
  const path = decodeURIComponent(url.pathname).replace(/^\/+|\/+$/g, "");
  return {
    kind: "s3",
    bucket: url.hostname,
    prefix: path === "" ? "" : `${path}/`,
    ...(endpoint !== undefined && { endpoint }),
    ...(region !== undefined && { region }),
  };
};

function isServiceUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && username === "" && search === "" && hash === "";
}

export const databaseUrl: Parse<string> = (text) => {
  if (!/^postgres(ql)?:\/\//.test(text)) throw new WrongValue("a URL like postgres://user:password@host:5432/database (not shown here)");
  return text;
};

/** An address under which a browser or a client reaches something; plain HTTP only where the check lets it through. */
function webUrl(example: string, isAllowed: (url: URL) => boolean): Parse<string> {
  return (text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const isBare = url !== undefined && url.username === "" && url.search === "" && url.hash === "" && /^https?:$/.test(url.protocol);
    if (!isBare || !isAllowed(url)) throw new WrongValue(example);
    return text;
  };
}

const bareUrl = webUrl("a URL without a path, like https://millrace.example.com", (url) => url.pathname === "/");

/** As origins are compared: without a slash at the end, the host in lower case. */
export const publicUrl: Parse<string> = (text) => new URL(bareUrl(text)).origin;

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Tokens must not travel in clear, so plain HTTP is for this machine only. */
export const issuerUrl = webUrl(
  "a URL like https://id.example.com/realms/main (http:// on this machine only)",
  (url) => url.protocol === "https:" || loopback.test(url.hostname),
);

export const emailAddress: Parse<string> = (text) => {
  const email = readEmail(text);
  if (email === undefined) throw new WrongValue("a list of email addresses separated by commas");
  return email;
};

export const domainName: Parse<string> = (text) => {
  if (!/^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/i.test(text)) throw new WrongValue("a list of domains such as example.com separated by commas");
  return text.toLowerCase();
};

/** IPv4 or IPv6, alone or as a range. */
export const addressRange: Parse<string> = (text) => {
  const [address = "", bits, ...rest] = text.split("/");
  const most = isIP(address) === 6 ? 128 : 32;
  const isRange = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= most);
  if (isIP(address) === 0 || !isRange || rest.length > 0) {
    throw new WrongValue("a list of IP addresses or ranges such as 10.0.0.7 or 10.1.0.0/16 separated by commas");
  }
  return text;
};

/** An address, a range, or the name of a host. */
export const rangeOrHost: Parse<string> = (text) => {
  if (/^[a-z0-9_](?:[a-z0-9_.-]{0,251}[a-z0-9_])?$/i.test(text) && /[a-z]/i.test(text)) return text.toLowerCase();
  try {
    return addressRange(text);
  } catch {
    throw new WrongValue("a list of IP addresses, ranges and host names such as 10.1.0.0/16,hooks.internal separated by commas");
  }
};

/** The same, each with a port if it is for that one only: `10.0.0.7:8080`, `[fd00::/8]:443`, `build.internal:8443`. */
export const rangeOrEndpoint: Parse<string> = (text) => {
  const { host, port } = splitEndpoint(text);
  try {
    if (port === undefined || (/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535))
      return joinEndpoint(rangeOrHost(host), port);
  } catch {
    // Reported below, with the ports.
  }
  throw new WrongValue(
    "a list of IP addresses, ranges and host names, each with or without a port, such as 127.0.0.1:9000,10.0.0.0/8,[fd00::1]:443 separated by commas",
  );
};

/** Where a container engine listens. */
export const engineAddress: Parse<string> = (text) => {
  const isAddress =
    /^unix:\/\/\/./.test(text) || (/^(tcp|https?):\/\/[^/]+\/?$/.test(text) && URL.canParse(text.replace(/^tcp:/, "http:")));
  if (!isAddress) throw new WrongValue("an address like unix:///var/run/docker.sock or tcp://127.0.0.1:2375");
  return text;
};

export const absolutePath: Parse<string> = (text) => {
  if (!isAbsolute(text)) throw new WrongValue("an absolute path");
  return text;
};

/** Of a namespace, a storage class. */
export const kubernetesName: Parse<string> = (text) => {
  if (!/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/.test(text)) throw new WrongValue("a valid Kubernetes name: a-z, 0-9, - and .");
  return text;
};

export const imageName: Parse<string> = (text) => {
  if (!/^[\w][\w./:@-]{0,500}$/.test(text)) throw new WrongValue("an image name such as busybox:1.37-musl");
  return text;
};

/** A registry or the name of an image, `*` for a part between slashes. */
export const imagePattern: Parse<string> = (text) => {
  if (!/^[\w*][\w*./:@-]{0,500}$/.test(text))
    throw new WrongValue("a list such as registry.example.com:5000,ghcr.io/acme with commas between them");
  return text;
};

export const headerName: Parse<string> = (text) => {
  if (!/^[\w-]{1,100}$/.test(text)) throw new WrongValue("a header name such as x-forwarded-email");
  return text.toLowerCase();
};

/** A value that is not repeated in messages. */
function isSecretName(name: string): boolean {
  return /TOKEN|KEY|SECRET|DATABASE.*URL/.test(name);
}

export function parseSetting<T>(name: string, text: string, parse: Parse<T>): T {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof WrongValue)) throw error;
    const found = isSecretName(name) ? "" : `, not ${JSON.stringify(text.slice(0, 100))}`;
    throw new StartError(`${name} must be ${error.message}${found}`);
  }
}
