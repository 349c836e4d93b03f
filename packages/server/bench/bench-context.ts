import type { BenchClient } from "./client.ts";
import type { Measurement } from "./report.ts";
import type { BenchService } from "./service.ts";

/** What every measurement is given. */
export interface BenchContext {
  service: BenchService;
  client: BenchClient;
  isQuick: boolean;
  /** A million requests where memory is watched. */
  isLong: boolean;
  /** What was measured so far: the floors come first. */
  results: readonly Measurement[];
}
