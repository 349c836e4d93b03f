import { describe } from "vitest";
import { fuzzEndpoints, fuzzSeed } from "../../kit/data/fuzz-endpoints.ts";

// Bad input to every endpoint, few enough requests to run for every change. fuzz.long.test.ts sends twelve times as many.

describe(`seed ${fuzzSeed}`, () => fuzzEndpoints(10));
