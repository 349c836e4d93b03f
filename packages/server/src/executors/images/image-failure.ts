import { shortenMiddle } from "../../base/text/shorten.ts";

/**
 * Why an image can't be pulled, recognized by the message of an engine or a node: a closed set, the same for all executors. The patterns
 * match messages of Docker, Podman and containerd; the table beside this file has the originals. What a registry reports counts only as a
 * problem of that registry: no registry can blame the machine.
 */
export type ImageCause =
  /** Unreachable: its name, the connection, TLS, or no response. */
  | "registry-away"
  /** It responds, but not as a registry should. */
  | "registry-fault"
  /** Credentials are missing or refused. Many registries respond like this for images that they don't have, too. */
  | "credentials"
  | "missing"
  | "platform"
  /** The disk of the engine or the node. */
  | "disk-full"
  | "rate-limit"
  | "unknown";

interface Sign {
  cause: ImageCause;
  words: RegExp;
}

/** The first match counts: more specific ones come first. */
const signs: readonly Sign[] = [
  { cause: "rate-limit", words: /toomanyrequests|too many requests|\b429\b/i },
  { cause: "platform", words: /no match(?:ing manifest)? for |no image found in .* for |cannot be used on this platform/i },
  {
    cause: "credentials",
    words:
      /unauthorized|\bdenied\b|forbidden|authentication required|no basic auth credentials|insufficient_scope|authorization failed|(?:username|password|token).*(?:invalid|incorrect)|(?:incorrect|invalid) username|\b40[13]\b/i,
  },
  { cause: "missing", words: /manifest unknown|name unknown|manifest invalid|not found|not present with pull policy|\b404\b/i },
  {
    cause: "registry-away",
    words:
      /no such host|server misbehaving|dial (?:tcp|udp)|i\/o timeout|client\.timeout|timeout awaiting|deadline exceeded|did not answer|connection (?:refused|reset)|unreachable|\bEOF\b|broken pipe|server closed|closed network connection|x509|tls: |http response to https/i,
  },
  {
    cause: "registry-fault",
    words: /unexpected (?:http )?status|invalid status code|error unmarshalling|invalid character|service unavailable/i,
  },
];

const diskFull = /no space left on device|disk quota exceeded/i;
/** An error from a registry starts with its code. */
const registrySaid =
  /^(?:unknown|denied|unauthorized|unsupported|unavailable|toomanyrequests|name \w+|manifest \w+|blob \w+|size invalid|digest invalid|error from registry)\b/i;

/** Some patterns take quadratic time on long texts: a registry must not be able to block the service with a message. */
const maxWords = 4_000;

/** @param name of the image, which may contain any of these words itself */
export function imageCause(words: string, name: string): ImageCause {
  const plain = withoutNames(shortenMiddle(words, maxWords), name);
  if (diskFull.test(plain) && !registrySaid.test(plain)) return "disk-full";
  return signs.find((sign) => sign.words.test(plain))?.cause ?? "unknown";
}

/** Addresses and names come from users: `denied/not-found` is a repository like any other. */
function withoutNames(words: string, name: string): string {
  const path = name.slice(name.indexOf("/") + 1);
  return [name, path]
    .filter((one) => one.length > 1)
    .reduce((text, one) => text.replaceAll(one, "IMAGE"), words)
    .replace(/"?\b(?:https?|docker):\/\/[^\s"]*"?/g, "ADDRESS")
    .replace(/IMAGE[:@][\w.:-]*[\w-]|reading manifest \S+ in/g, "IMAGE");
}

/** Whether a retry may succeed a moment later, without anyone intervening. */
export function isPassingCause(cause: ImageCause): boolean {
  return cause === "registry-away" || cause === "registry-fault";
}

/** A full disk is a matter for the operator of the machine, and has nothing to do with the image or its registry. */
export function imageReason(cause: ImageCause | undefined): "ImagePullFailed" | "ExecutorError" {
  return cause === "disk-full" ? "ExecutorError" : "ImagePullFailed";
}

export interface ImageFailure {
  cause: ImageCause;
  /** As the task names it. */
  image: string;
  /** Host and port. */
  registry: string;
  /** What pulls it: "the container engine", or a node. */
  puller: string;
  /** Its message, without secrets. */
  words: string;
  /** Where credentials come from, and whether this registry had some, if that is known. */
  credentials: { setting: string; wereGiven?: boolean };
}

/** One sentence for people: what is wrong, with which image and registry, and what helps. */
export function describeImageFailure(failure: ImageFailure): string {
  const { what, remedy } = explain(failure);
  const words = shortenMiddle(failure.words, maxWords).trim();
  return `the image ${failure.image} can't be pulled: ${what}; ${remedy}${words === "" ? "" : ` (${words})`}`;
}

function explain({ cause, registry, puller, words, credentials }: ImageFailure): { what: string; remedy: string } {
  const { setting, wereGiven } = credentials;
  switch (cause) {
    case "registry-away":
      return {
        what: `the registry ${registry} can't be reached: ${whyAway(words)}`,
        remedy: `check its address and the network of ${puller}`,
      };
    case "registry-fault":
      return { what: `the registry ${registry} does not respond as expected`, remedy: "see its log, or try again later" };
    case "credentials":
      return wereGiven
        ? { what: `the registry ${registry} refuses the credentials for it`, remedy: `correct them in ${setting}` }
        : {
            what: `the registry ${registry} does not have it, or requires credentials`,
            remedy: `check the name, or add credentials in ${setting}`,
          };
    case "missing":
      return { what: `the registry ${registry} does not have it`, remedy: "check its name and its tag or digest" };
    case "platform":
      return { what: `it has no variant for the platform of ${puller}`, remedy: "use an image that has one" };
    case "disk-full":
      return { what: `the disk of ${puller} is full`, remedy: "free some space there, for example by removing images that nothing uses" };
    case "rate-limit":
      return { what: `the registry ${registry} allows no more pulls for now`, remedy: `wait, or add credentials in ${setting}` };
    case "unknown":
      return { what: `${puller} refuses it`, remedy: "check its name and its registry" };
  }
}

const awayWords: readonly [RegExp, string][] = [
  [/no such host|server misbehaving|lookup /i, "its name can't be resolved"],
  [/connection refused/i, "nothing listens there"],
  [/unreachable|no route/i, "there is no route to it"],
  [/x509|tls: |http response to https/i, "TLS fails"],
  [/time-?out|deadline exceeded|did not answer/i, "it does not answer"],
];

function whyAway(words: string): string {
  return awayWords.find(([sign]) => sign.test(words))?.[1] ?? "the connection breaks";
}
