import { describe } from "vitest";
import { fuzzEndpoints, fuzzSeed } from "../../kit/data/fuzz-endpoints.ts";

// Bad input to every endpoint, few enough requests to run for every change. fuzz.long.test.ts sends six times as many.

describe(`seed ${fuzzSeed}`, () => fuzzEndpoints(20));
