import { afterAll, describe, test } from "vitest";
import { type EngineKind, type EngineOptions, engineTier } from "../run/engine-options.ts";
import { isRequiredTier } from "../suite/test-tier.ts";
import { type ContainerEngine, startContainerEngine } from "./container-engine.ts";
import { taskImageOrWhy } from "./task-image.ts";

/** Tests that need an engine; where this machine can't have one they are skipped with the reason, or fail if they are required. */
export interface ContainerTier {
  engine: ContainerEngine;
  describe(name: string, body: () => void): void;
}

/** An engine for one test file, which is stopped after it. Call it at the top level of the file. */
export async function openContainerTier(kind: EngineKind, options: EngineOptions = {}): Promise<ContainerTier> {
  const image = await taskImageOrWhy();
  const engine = "why" in image ? image : await startContainerEngine(kind, options);
  if (!("why" in engine)) {
    afterAll(() => engine.close());
    return { engine, describe };
  }
  const { why } = engine;
  const isRequired = isRequiredTier(engineTier(kind, options));
  const without = (name: string): void => {
    if (isRequired) test(name, () => Promise.reject(new Error(why)));
    else describe.skip(name, () => test(why, () => undefined));
  };
  return { engine: undefined as unknown as ContainerEngine, describe: without };
}
