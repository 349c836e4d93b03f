import type { Series } from "./series.ts";

/** Patterns of the series, to be put into an SVG; `fillOf` names them. */
export function Fills({ series, id }: { series: readonly Series[]; id: string }) {
  return (
    <defs>
      {series.map(({ key, color, fill }) => (
        <pattern
          key={key}
          id={`${id}-${key}`}
          width={6}
          height={6}
          patternUnits="userSpaceOnUse"
          patternTransform={fill === "hatched" ? "rotate(45)" : undefined}
        >
          <rect width={6} height={6} fill={color} fillOpacity={fill === "solid" ? 1 : 0.35} />
          {fill === "hatched" && <rect width={3} height={6} fill={color} />}
          {fill === "dotted" && <circle cx={3} cy={3} r={1.5} fill={color} />}
        </pattern>
      ))}
    </defs>
  );
}

export function fillOf(id: string, key: string): string {
  return `url(#${id}-${key})`;
}
