import fc from "fast-check";

/**
 * Every property of the suite uses the same cases each time, so that a result depends on the change and not on luck. MILLRACE_FUZZ_SEED
 * uses others; a counterexample found that way becomes a test of its own.
 */
fc.configureGlobal({ seed: Number(process.env["MILLRACE_FUZZ_SEED"] ?? 20_261_120) });
