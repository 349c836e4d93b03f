import { describe } from "vitest";
import { fuzzEndpoints, fuzzSeed } from "../../kit/data/fuzz-endpoints.ts";

// Bad input to every endpoint: what each change is to know. Six times as many requests are in fuzz.long.test.ts.

describe(`seed ${fuzzSeed}`, () => fuzzEndpoints(20));
