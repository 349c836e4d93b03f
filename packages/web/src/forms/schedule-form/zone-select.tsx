import { Select } from "@mantine/core";
import { type ReactNode, useMemo } from "react";
import { t } from "../../texts/schedules.ts";
import { offsetAt, viewerZone } from "../../ui/time/zone-time.ts";

interface ZoneSelectProps {
  value: string;
  onChange: (zone: string) => void;
  label?: string;
  description?: string;
  error?: ReactNode;
  size?: "xs" | "sm";
}

/** All time zones that the browser knows, searchable by name; the viewer's own zone and UTC come first. */
export function ZoneSelect({ value, onChange, label = t("zoneSelect.timeZone"), description, error, size = "sm" }: ZoneSelectProps) {
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
      limit={50}
      renderOption={({ option }) => zoneLabel(option.value)}
      maxDropdownHeight={280}
      nothingFoundMessage={t("zoneSelect.noMatchingTimeZone")}
      data={data}
      value={value}
      onChange={(zone) => zone && onChange(zone)}
      // Selects the text, so that typing starts a search instead of being appended to the name of the zone.
      onClick={(event) => event.currentTarget.select()}
    />
  );
}

/** Computing the offsets of all zones would take noticeably long, so only visible options show theirs. */
function zoneChoices(value: string) {
  const first = [...new Set([viewerZone(), "UTC", value])];
  const others = Intl.supportedValuesOf("timeZone").filter((zone) => !first.includes(zone));
  return [...first.map((zone) => ({ value: zone, label: zoneLabel(zone) })), ...others];
}

/** `Europe/Berlin (UTC+1)`; the offset is today's. */
function zoneLabel(zone: string): string {
  if (zone === "UTC") return zone;
  const minutes = Math.round(offsetAt(zone, Date.now()) / 60_000);
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const offset = `UTC${minutes < 0 ? "−" : "+"}${hours}${rest === 0 ? "" : `:${String(rest).padStart(2, "0")}`}`;
  return zone === viewerZone() ? t("zoneSelect.yours", { zone, offset }) : `${zone} (${offset})`;
}
