import type { BenchClient } from "./client.ts";
import type { Measurement } from "./report.ts";
import type { BenchService } from "./service.ts";

/** The input of every measurement. */
export interface BenchContext {
  service: BenchService;
  client: BenchClient;
  isQuick: boolean;
  /** Sends a million requests where memory is measured. */
  isLong: boolean;
  /** The results so far: the floors come first. */
  results: readonly Measurement[];
}
