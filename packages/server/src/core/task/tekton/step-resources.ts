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

const factors: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  "": 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/**
 * A quantity in the syntax of Kubernetes (`512Mi`, `0.5`, `250m`, `1e3`, the number 2), in whole multiples of `unit`, rounded up as in
 * Kubernetes: `parseQuantity("250m", 0.001)` is 250. Undefined if it is not a quantity, is empty, or is more than a number can represent
 * exactly.
 */
export function parseQuantity(value: unknown, unit = 1): number | undefined {
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text !== "string") return undefined;
  const [, digits, exponent, suffix = ""] = /^\s*\+?(\d+\.?\d*|\.\d+)(?:[eE]([+-]?\d{1,2})|([numkMGTPE]|[KMGTPE]i)?)\s*$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const exact = (Number(digits) * (exponent === undefined ? (factors[suffix] as number) : 10 ** Number(exponent))) / unit;
  // The last digits of a product are inexact: 0.1 / 0.001 is a little more than 100.
  const whole = Math.ceil(Number(exact.toPrecision(15)));
  return Number.isSafeInteger(whole) && whole > 0 ? whole : undefined;
}

const units: Record<string, number> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1, us: 1e-3, µs: 1e-3, ns: 1e-6 };

/** A duration in the syntax of Go (`1h30m`, `1.5h`, `300ms`) in milliseconds; undefined if it is not one. `0` has no unit. */
export function parseDuration(text: string): number | undefined {
  if (/^0+$/.test(text)) return 0;
  if (!/^(?:\d+(?:\.\d+)?(?:h|ms|m|s|us|µs|ns))+$/.test(text)) return undefined;
  let total = 0;
  for (const [, number, unit] of text.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s|us|µs|ns)/g))
    total += Number(number) * (units[unit as string] ?? 0);
  return Math.round(total);
}
