import { setTimeout as pause } from "node:timers/promises";
import { createMasker } from "../../../base/secret/mask.ts";
import type { JobStep } from "../../../core/task/tekton/job-steps.ts";
import { describeImageFailure, type ImageCause, imageCause, isPassingCause } from "../../images/image-failure.ts";
import type { ImageReference } from "../../images/image-reference.ts";
import { EngineRefusal } from "../engine/engine-error.ts";
import { secretsOf } from "./registry-credentials.ts";
import type { RegistryAuth } from "./registry-question.ts";

/** The image can't be used; the message is for people, without secrets. */
export class ImageProblem extends Error {
  /** Absent: its name, the rules of images or its pull policy don't allow it, and no registry or engine was asked. */
  readonly reason: ImageCause | undefined;

  constructor(message: string, reason?: ImageCause) {
    super(message);
    this.reason = reason;
  }
}

export function isPassing({ reason }: ImageProblem): boolean {
  return reason !== undefined && isPassingCause(reason);
}

/** How long after the first request, in ms, an unreachable registry is asked once more. */
const againMs = 3_000;

/** A request that a registry has refused would be refused again; a broken connection or an unresolved name may be temporary. */
export async function askAgain(act: () => Promise<void>, signal: AbortSignal): Promise<void> {
  const beganAt = performance.now();
  for (let pauseMs = 500; ; pauseMs *= 2) {
    try {
      return await act();
    } catch (error) {
      const mayPass = error instanceof ImageProblem && isPassing(error);
      if (!mayPass || performance.now() - beganAt + pauseMs > againMs) throw error;
    }
    await pause(pauseMs, undefined, { signal });
  }
}

/**
 * A manifest may name a URL for a layer, which Podman requests: a task must not learn anything about what is there, not even its digest.
 */
const otherContent = /\bgot sha\d+:[0-9a-f]+/g;

export function toProblem(error: unknown, image: string, { name, registry }: ImageReference, auth: RegistryAuth | undefined): unknown {
  if (!(error instanceof EngineRefusal)) return error;
  const words = createMasker(secretsOf(auth)).maskText(error.message).replace(otherContent, "got another");
  const cause = imageCause(words, name);
  const credentials = { setting: "MILLRACE_CONTAINER_REGISTRIES", wereGiven: auth !== undefined };
  return new ImageProblem(describeImageFailure({ cause, image, registry, puller: "the container engine", words, credentials }), cause);
}

/** Named as engines name images that were built or loaded on the machine: no registry has that name. */
export function isBuiltHere({ registry }: ImageReference): boolean {
  return registry === "localhost";
}

export function absentMessage(image: string, policy: JobStep["pullPolicy"]): string {
  if (policy === "Never") return `the image ${image} is not on the machine of the container engine, and its pull policy is Never`;
  return `the local image ${image} is not on the machine of the container engine; build or load it there`;
}

export const localRemedy = "MILLRACE_LOCAL_IMAGES can list images that every team can use without asking a registry";

export function neverMessage(image: string): string {
  return `the image ${image} exists, but its registry has not confirmed that this team can use it, and its pull policy is Never; ${localRemedy}`;
}
