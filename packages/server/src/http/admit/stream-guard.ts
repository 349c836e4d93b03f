import type { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import type { Endpoint, Principal, Reply } from "../../api/endpoint.ts";
import { AppError } from "../../base/error/app-error.ts";
import type { Log } from "../../base/process/log.ts";
import { allows } from "../../policy/allows.ts";
import { type AdmitDependencies, identifyAgain } from "./admit.ts";
import { countedAs } from "./rate-limits.ts";

/**
 * Ends answers that continue (logs that are followed, changes) when the right to them ends: at once where this process made the
 * change, and within two seconds where another one did, or where time did (docs/guarantees.md, k). It goes by the clock and not by
 * what the stream does, since a reader that does not read, or a stream in which nothing happens, holds on to its right just as
 * long.
 */
export interface StreamGuard {
  /**
   * @param caller whose number of streams is limited
   * @param isAllowed called until the stream is closed; if it returns false, the stream is cut off without a proper end
   * @throws TOO_MANY_REQUESTS, after closing the stream
   */
  watch(stream: Readable, caller: string, isAllowed: () => Promise<boolean>): void;
  /** Rights may have changed. */
  checkNow(): void;
  stop(): void;
}

/** Between two checks. Together with `streamFreshMs` it stays below the two seconds that are promised. */
export const streamCheckMs = 1400;
/** The maximum age of cached rights at a check. */
export const streamFreshMs = 400;
/** Each change that happens costs each stream a query of the database, so one caller with thousands of them would hold up everyone. */
export const maxStreamsOfCaller = 200;
const retryAfterSeconds = 10;

export function createStreamGuard(log: Log): StreamGuard {
  const watched = new Map<Readable, () => Promise<boolean>>();
  const numberOf = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  async function check(stream: Readable, isAllowed: () => Promise<boolean>): Promise<void> {
    try {
      if (!(await isAllowed())) stream.destroy();
    } catch (err) {
      // Without the database the right can't be checked. No response is better than one without a right.
      log.warn({ err }, "a stream was closed because its permission could not be checked");
      stream.destroy();
    }
  }

  function checkNow(): void {
    for (const [stream, isAllowed] of watched) void check(stream, isAllowed);
  }

  function leave(caller: string): void {
    const left = (numberOf.get(caller) ?? 0) - 1;
    if (left > 0) numberOf.set(caller, left);
    else numberOf.delete(caller);
  }

  function rest(): void {
    clearInterval(timer);
    timer = undefined;
  }

  return {
    watch(stream, caller, isAllowed) {
      if (stream.destroyed) return;
      const number = numberOf.get(caller) ?? 0;
      if (number >= maxStreamsOfCaller) {
        stream.destroy();
        throw new AppError("TOO_MANY_REQUESTS", [retryAfterSeconds], { retryAfterSeconds });
      }
      numberOf.set(caller, number + 1);
      watched.set(stream, isAllowed);
      timer ??= setInterval(checkNow, streamCheckMs).unref();
      stream.once("close", () => {
        watched.delete(stream);
        leave(caller);
        if (watched.size === 0) rest();
      });
    },
    checkNow,
    stop: rest,
  };
}

/** A caller who keeps reading must still have access: by the endpoint's own rule, or by the permission that it declares. */
export function guardStream(
  endpoint: Endpoint,
  request: FastifyRequest,
  dependencies: AdmitDependencies & { streams: StreamGuard },
  stream: Readable,
  staysOpenFor: Reply["staysOpenFor"],
): void {
  const { permission } = endpoint;
  const teamId = request.caller?.team?.id;
  const isLetIn = staysOpenFor ?? ((principal: Principal) => permission === "open" || allows(principal, permission, teamId));
  dependencies.streams.watch(stream, countedAs(request), async () => {
    const principal = await identifyAgain(endpoint, request, dependencies, streamFreshMs);
    return principal !== undefined && isLetIn(principal);
  });
}
