import { parseQuantity } from "./quantity.ts";

/** The minimum that a step requests, and the maximum it may use. */
export interface StepResources {
  requests?: ResourceAmounts;
  limits?: ResourceAmounts;
}

export interface ResourceAmounts {
  memoryBytes?: number;
  /** Thousandths of a processor. */
  cpuMillis?: number;
}

/** Tekton's `computeResources` in numbers. Undefined if it names neither memory nor processors; invalid quantities are left out. */
export function stepResources(written: unknown): StepResources | undefined {
  const { requests, limits } = members(written);
  const [least, most] = [amounts(requests), amounts(limits)];
  return least || most ? { ...(least && { requests: least }), ...(most && { limits: most }) } : undefined;
}

function amounts(written: unknown): ResourceAmounts | undefined {
  const { memory, cpu } = members(written);
  const memoryBytes = parseQuantity(memory);
  const cpuMillis = parseQuantity(cpu, 0.001);
  return memoryBytes || cpuMillis ? { ...(memoryBytes && { memoryBytes }), ...(cpuMillis && { cpuMillis }) } : undefined;
}

/** Invalid quantities, with their paths below the resources. */
export function wrongQuantities(written: unknown): { path: string; value: unknown }[] {
  return ["requests", "limits"].flatMap((group) =>
    Object.entries(members(members(written)[group])).flatMap(([name, value]) =>
      (name === "memory" || name === "cpu") && parseQuantity(value, 0.001) === undefined ? [{ path: `${group}/${name}`, value }] : [],
    ),
  );
}

function members(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
