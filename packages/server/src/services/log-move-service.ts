import { Loop, type Service } from "../base/process/service.ts";
import { LogMover, type LogMoverParts } from "../engine/log-mover.ts";

/** Moves logs to the log store, and removes objects there that are no longer used. One process does it at a time. */
export function createLogMoveService(parts: LogMoverParts): Service {
  const mover = new LogMover(parts);
  const loop = new Loop({
    name: "log-move",
    intervalMs: 60_000,
    log: parts.log,
    round: async (signal) => {
      await mover.round(signal);
      return undefined;
    },
  });
  return {
    name: loop.name,
    start: (signal) => loop.start(signal),
    tick: () => loop.tick(),
    async stop() {
      await loop.stop();
      await mover.stop().catch(() => undefined);
    },
  };
}
