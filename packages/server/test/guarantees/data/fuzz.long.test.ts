import { describe } from "vitest";
import { fuzzEndpoints, fuzzSeed } from "../../kit/data/fuzz-endpoints.ts";

// Bad input to every endpoint: six times as many requests as in fuzz.test.ts.

describe(`seed ${fuzzSeed}`, () => fuzzEndpoints(120));
