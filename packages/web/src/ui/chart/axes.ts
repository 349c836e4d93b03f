/** How the days stand below each chart. */
export const dayAxis = {
  dataKey: "axis",
  tickLine: false,
  stroke: "var(--line-strong)",
  tick: { fill: "var(--ink-quiet)", fontSize: 12 },
  minTickGap: 24,
} as const;

/** How the values stand beside each chart. */
export const valueAxis = { tickLine: false, axisLine: false, tick: { fill: "var(--ink-quiet)", fontSize: 12 } } as const;
