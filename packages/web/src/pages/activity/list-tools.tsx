import { ActionIcon, Button, Checkbox, Popover, Stack, Tooltip } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { IconChartDots, IconColumns } from "@tabler/icons-react";
import { t } from "../../texts/run/activity.ts";
import { columnChoices, useUsualColumns, usualColumns } from "./runs-table.tsx";

const known = new Set(columnChoices.map(({ value }) => value));

/**
 * The visible columns: those in the URL, which a saved view or a link sets, otherwise those that the user chose in this browser.
 * @param ofAddress the columns in the URL; empty when it names none
 */
export function useColumns(ofAddress: readonly string[], onAddress: (columns: string[]) => void) {
  const usual = useUsualColumns();
  const [own, setOwn] = useLocalStorage<readonly string[] | null>({
    key: "millrace-activity-columns",
    defaultValue: null,
    getInitialValueInEffect: false,
  });
  const named = ofAddress.filter((column) => known.has(column));
  const columns = named.length > 0 ? named : Array.isArray(own) ? own : usual;
  const choose = (chosen: string[]) => {
    setOwn(chosen);
    if (named.length > 0) onAddress(chosen);
  };
  return [columns, choose] as const;
}

interface ColumnChoiceProps {
  columns: readonly string[];
  onChange: (columns: string[]) => void;
}

/** Selects the table's columns, in addition to the name of the run. */
export function ColumnChoice({ columns, onChange }: ColumnChoiceProps) {
  return (
    <Popover position="bottom-end" trapFocus returnFocus shadow="md">
      <Popover.Target>
        <ActionIcon variant="default" size={30} aria-label={t("listTools.columns")} title={t("listTools.columns")}>
          <IconColumns size={16} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs">
          <Checkbox.Group value={[...columns]} onChange={onChange} label={t("listTools.columns")}>
            <Stack gap="sm" mt="xs">
              {columnChoices.map(({ value, label }) => (
                <Checkbox key={value} size="xs" value={value} label={label} />
              ))}
            </Stack>
          </Checkbox.Group>
          <Button size="compact-xs" variant="subtle" onClick={() => onChange([...usualColumns])}>
            {t("listTools.resetColumns")}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

/** Whether the chart is shown. The choice is stored in this browser. */
export function useChartShown() {
  return useLocalStorage({ key: "millrace-activity-chart", defaultValue: true, getInitialValueInEffect: false });
}

export function ChartToggle({ isOn, onChange }: { isOn: boolean; onChange: (isOn: boolean) => void }) {
  const label = isOn ? t("listTools.hideChart") : t("listTools.showChart");
  return (
    <Tooltip label={label}>
      <ActionIcon variant="default" size={30} aria-label={label} aria-pressed={isOn} onClick={() => onChange(!isOn)}>
        <IconChartDots size={16} />
      </ActionIcon>
    </Tooltip>
  );
}
