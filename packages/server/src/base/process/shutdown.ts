/** The part of `process` that is needed here. */
export interface SignalSource {
  on(signal: "SIGTERM" | "SIGINT", listener: () => void): unknown;
  off(signal: "SIGTERM" | "SIGINT", listener: () => void): unknown;
}

/** Ctrl-C in a shell, and a supervisor that signals the whole group, both arrive twice: once from npm, once directly. */
const echoMs = 2_000;

/**
 * The request to stop, as a signal for everything that is to end. A repetition within two seconds is the same request; a later one means
 * that someone is losing patience, and `impatient` is called.
 */
export function listenForShutdown(source: SignalSource, impatient: () => void): { signal: AbortSignal; dispose: () => void } {
  const abort = new AbortController();
  let firstAt = 0;
  const onSignal = () => {
    if (!abort.signal.aborted) {
      firstAt = performance.now();
      abort.abort(new Error("told to stop"));
    } else if (performance.now() - firstAt > echoMs) {
      impatient();
    }
  };
  const signals = ["SIGTERM", "SIGINT"] as const;
  for (const name of signals) source.on(name, onSignal);
  return {
    signal: abort.signal,
    dispose: () => {
      for (const name of signals) source.off(name, onSignal);
    },
  };
}

/**
 * An error that no code handles does not end the process. Node would end it by default, so the author of one workflow who can cause such an
 * error could stop the work of all teams. The state is in rows, so the affected work is found again.
 */
export function surviveRejections(
  source: { on(event: "unhandledRejection", listener: (reason: unknown) => void): unknown },
  report: (reason: unknown) => void,
): void {
  source.on("unhandledRejection", report);
}

/** Resolves once the signal is given. */
export async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
