import { Button, CloseButton, Popover, UnstyledButton } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconFilter } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { t } from "../../texts/run/activity.ts";
import { focusFilter, SearchField } from "../../ui/list/search-field.tsx";
import { chipsOf, type FilterChip, isFiltered, noFilter, toRunsFilter } from "./activity-filter.ts";
import { ActivityFilters, type ActivityFiltersProps } from "./activity-filters.tsx";
import classes from "./filter-bar.module.css";
import { useFilterNames } from "./filter-names.ts";

/** The current filters in one line that never wraps: a search, a chip for each filter that is set, and a button for all filters. */
export function FilterBar({ children, ...props }: ActivityFiltersProps & { children?: ReactNode }) {
  const { team, state, onChange } = props;
  const nameOf = useFilterNames(team, state);
  const [isOpen, { toggle, open, close }] = useDisclosure(false);
  const clear = () => {
    onChange(noFilter);
    focusFilter();
  };
  return (
    <search className={classes.bar} aria-label={t("activityFilters.filters")}>
      <SearchField
        label={t("activityFilters.searchRuns")}
        placeholder={t("activityFilters.searchPlaceholder")}
        value={state.q}
        onSearch={(q) => onChange({ q })}
        width={300}
      />
      <Popover opened={isOpen} onChange={(next) => !next && close()} position="bottom-start" width={320} trapFocus returnFocus shadow="md">
        <Popover.Target>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconFilter size={14} aria-hidden />}
            onClick={toggle}
            className={classes.button ?? ""}
          >
            {t("filterBar.filter")}
          </Button>
        </Popover.Target>
        <Popover.Dropdown>
          <ActivityFilters {...props} />
        </Popover.Dropdown>
      </Popover>
      <Chips chips={chipsOf(state, nameOf)} onOpen={open} onRemove={(chip) => onChange(chip.without)} />
      {isFiltered(toRunsFilter(state)) && (
        <Button size="xs" variant="subtle" className={classes.button ?? ""} onClick={clear}>
          {t("activityFilters.clear")}
        </Button>
      )}
      {children}
    </search>
  );
}

interface ChipsProps {
  chips: readonly FilterChip[];
  onOpen: () => void;
  onRemove: (chip: FilterChip) => void;
}

/** Scrolls sideways when the chips don't fit. A click on a chip opens the filter fields, its cross removes the filter. */
function Chips({ chips, onOpen, onRemove }: ChipsProps) {
  return (
    <ul className={classes.chips} aria-label={t("filterBar.activeFilters")}>
      {chips.map((chip) => (
        <li key={chip.key} className={classes.chip}>
          <UnstyledButton className={classes.word ?? ""} title={`${chip.name}: ${chip.value}`} onClick={onOpen}>
            <span className="quiet">{chip.name}</span> {chip.value}
          </UnstyledButton>
          <CloseButton
            size={24}
            iconSize={12}
            aria-label={t("filterBar.remove", { name: chip.name, value: chip.value })}
            onClick={() => onRemove(chip)}
          />
        </li>
      ))}
    </ul>
  );
}
