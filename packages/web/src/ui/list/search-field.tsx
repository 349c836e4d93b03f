import { CloseButton, Group, Pagination, Select, Text, TextInput } from "@mantine/core";
import { useDebouncedCallback, useHotkeys } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { t } from "../../texts/ui.ts";

/** The fields that can filter a list, in order of preference. */
const fields = ["main [data-list-filter]", "main [enterkeyhint=search]", "main search input"];

/** Focuses the field that searches or filters the list of the page: for buttons that disappear because all objects are shown again. */
export function focusFilter(): void {
  for (const field of fields) {
    const found = document.querySelector<HTMLElement>(field);
    if (found !== null) return found.focus();
  }
}

interface SearchFieldProps {
  /** The label for screen readers, e.g. `Search workflows`. */
  label: string;
  placeholder: string;
  /** The current search, from the URL. */
  value: string;
  onSearch: (text: string) => void;
  width?: number;
}

const pauseMs = 250;

/** Searches a list on the server: after a pause in typing, at once on Enter. `/` focuses it. */
export function SearchField({ label, placeholder, value, onSearch, width = 280 }: SearchFieldProps) {
  const [typed, setTyped] = useState(value);
  const [seen, setSeen] = useState(value);
  const [sent, setSent] = useState(value);
  // The URL was changed by something other than this field: a link, or clearing all filters.
  if (value !== seen) {
    setSeen(value);
    if (value !== sent) setTyped(value);
  }
  const field = useRef<HTMLInputElement>(null);
  useHotkeys([["/", () => field.current?.focus()]]);
  const send = (text: string) => {
    setSent(text);
    onSearch(text);
  };
  const sendSoon = useDebouncedCallback(send, pauseMs);
  const change = (text: string) => {
    setTyped(text);
    sendSoon(text);
  };
  // The button goes with the text: who pressed it continues in the field.
  const clear = () => {
    change("");
    field.current?.focus();
  };
  return (
    <TextInput
      ref={field}
      type="text"
      enterKeyHint="search"
      aria-label={label}
      placeholder={placeholder}
      leftSection={<IconSearch size={14} aria-hidden />}
      rightSection={typed !== "" && <CloseButton size="sm" aria-label={t("searchField.clearSearch")} onClick={clear} />}
      size="xs"
      w={{ base: "100%", xs: width }}
      maxLength={200}
      autoComplete="off"
      value={typed}
      onChange={(event) => change(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === "Enter") sendSoon.flush();
      }}
    />
  );
}

interface FilterSelectProps {
  /** What it filters by, e.g. `Status`. */
  label: string;
  /** The text shown while it isn't set, e.g. `Any status`. */
  any: string;
  /** Values with their labels. */
  choices: readonly (readonly [value: string, word: string])[];
  /** Empty: not set. */
  value: string;
  onChange: (value: string) => void;
  isSearchable?: boolean;
}

/** A filter of a list with a single value, or any. */
export function FilterSelect({ label, any, choices, value, onChange, isSearchable = false }: FilterSelectProps) {
  return (
    <Select
      size="xs"
      w={160}
      aria-label={label}
      allowDeselect={false}
      searchable={isSearchable}
      data={[{ value: "", label: any }, ...choices.map(([choice, word]) => ({ value: choice, label: word }))]}
      value={value}
      onChange={(next) => onChange(next ?? "")}
    />
  );
}

export interface PageChoiceProps {
  /** From 0. */
  page: number;
  size: number;
  total: number;
  /** Whether there are more than `total`, without an exact count. */
  isMinimum?: boolean;
  onChange: (page: number) => void;
  /** The page sizes to choose from; left out: the size is fixed. */
  sizes?: readonly number[];
  onSize?: (size: number) => void;
}

/** Which of how many objects are shown, with buttons for the other pages. Renders nothing for an empty list. */
export function PageChoice({ page, size, total, isMinimum = false, onChange, sizes, onSize }: PageChoiceProps) {
  const pages = Math.ceil(total / size);
  if (total === 0) return null;
  const last = Math.min(total, (page + 1) * size);
  return (
    <Group justify="space-between" gap="xs">
      <Group gap="xs">
        <Text size="sm" className="quiet">
          {t(isMinimum ? "pageChoice.ofMore" : "pageChoice.of", { page: page * size + 1, last, total })}
        </Text>
        {sizes && total > Math.min(...sizes) && (
          <Select
            size="xs"
            w={112}
            aria-label={t("pageChoice.size")}
            allowDeselect={false}
            data={sizes.map((one) => ({ value: String(one), label: t("pageChoice.perPage", { size: one }) }))}
            value={String(size)}
            onChange={(chosen) => onSize?.(Number(chosen))}
          />
        )}
      </Group>
      {pages > 1 && (
        <Pagination
          size="sm"
          total={pages}
          value={page + 1}
          onChange={(chosen) => onChange(chosen - 1)}
          getControlProps={(control) => ({ "aria-label": t("pageChoice.page", { control }) })}
          getItemProps={(item) => ({ "aria-label": t("pageChoice.pageAriaLabel", { item: String(item) }) })}
        />
      )}
    </Group>
  );
}
