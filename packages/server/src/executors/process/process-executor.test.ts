import { exerciseFirstLevel } from "../../../test/kit/worker/process-bench.ts";

/** The conformance suite on the default level of steps here; sandbox-levels.long.test.ts tests the others. */
await exerciseFirstLevel();
