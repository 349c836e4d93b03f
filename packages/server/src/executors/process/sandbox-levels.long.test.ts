import { exerciseOtherLevels } from "../../../test/kit/worker/process-bench.ts";

/** The conformance suite on every level of the sandbox except the first, which process-executor.test.ts exercises in full. */
await exerciseOtherLevels();
