import fc from "fast-check";

/**
 * Every property of the suite draws the same cases each time it runs, so that a change is judged by what it changed and not by luck.
 * MILLRACE_FUZZ_SEED draws others; a counterexample found so becomes a test of its own.
 */
fc.configureGlobal({ seed: Number(process.env["MILLRACE_FUZZ_SEED"] ?? 20_261_120) });
