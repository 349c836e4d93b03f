import { Select } from "@mantine/core";
import { useMemo } from "react";
import { offsetAt, viewerZone } from "../../ui/zone-time.ts";

interface ZoneSelectProps {
  value: string;
  onChange: (zone: string) => void;
  label?: string;
  description?: string;
  error?: string | undefined;
  size?: "xs" | "sm";
}

/** All zones that the browser knows, found by their names; the viewer's own and UTC come first. */
export function ZoneSelect({ value, onChange, label = "Time zone", description, error, size = "sm" }: ZoneSelectProps) {
  const data = useMemo(() => zoneChoices(value), [value]);
  return (
    <Select
      label={label}
      description={description}
      error={error}
      size={size}
      searchable
      withAsterisk={false}
      allowDeselect={false}
      limit={100}
      maxDropdownHeight={280}
      nothingFoundMessage="No zone of this name; try a city such as Berlin"
      data={data}
      value={value}
      onChange={(zone) => zone && onChange(zone)}
    />
  );
}

function zoneChoices(value: string) {
  const first = [...new Set([viewerZone(), "UTC", value])];
  const others = Intl.supportedValuesOf("timeZone").filter((zone) => !first.includes(zone));
  const now = Date.now();
  return [...first, ...others].map((zone) => ({ value: zone, label: zoneLabel(zone, now) }));
}

/** `Europe/Berlin (UTC+1)`; the offset is today's. */
function zoneLabel(zone: string, now: number): string {
  const minutes = Math.round(offsetAt(zone, now) / 60_000);
  if (zone === "UTC") return "UTC";
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const own = zone === viewerZone() ? ", yours" : "";
  return `${zone} (UTC${minutes < 0 ? "−" : "+"}${hours}${rest === 0 ? "" : `:${String(rest).padStart(2, "0")}`}${own})`;
}
