const units: Record<string, number> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1, us: 1e-3, µs: 1e-3, ns: 1e-6 };

/** A duration as Go writes it (`1h30m`, `1.5h`, `300ms`) in milliseconds; undefined when it is none. `0` has no unit. */
export function parseDuration(text: string): number | undefined {
  if (/^0+$/.test(text)) return 0;
  if (!/^(?:\d+(?:\.\d+)?(?:h|ms|m|s|us|µs|ns))+$/.test(text)) return undefined;
  let total = 0;
  for (const [, number, unit] of text.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s|us|µs|ns)/g))
    total += Number(number) * (units[unit as string] ?? 0);
  return Math.round(total);
}
