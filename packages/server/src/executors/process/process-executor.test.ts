import { exerciseFirstLevel } from "../../../test/kit/worker/process-bench.ts";

/** The conformance suite on the level that steps have here by default; sandbox-levels.long.test.ts tries the others. */
await exerciseFirstLevel();
