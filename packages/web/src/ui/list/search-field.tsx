import { CloseButton, Group, Pagination, Select, Text, TextInput } from "@mantine/core";
import { useDebouncedCallback, useHotkeys } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { t } from "../../texts/ui.ts";

/** Where a list is filtered, the likeliest first. */
const fields = ["main [data-list-filter]", "main [enterkeyhint=search]", "main search input"];

/**
 * To the field by which the list of the page is searched or filtered: for who has pressed a button that goes because all is shown again.
 */
export function focusFilter(): void {
  for (const field of fields) {
    const found = document.querySelector<HTMLElement>(field);
    if (found !== null) return found.focus();
  }
}

interface SearchFieldProps {
  /** What is heard of it, such as `Search workflows`. */
  label: string;
  placeholder: string;
  /** What is searched now, from the address. */
  value: string;
  onSearch: (text: string) => void;
  width?: number;
}

const pauseMs = 250;

/** Searches a list on the server: when somebody pauses while typing, at once with Enter. `/` leads to it. */
export function SearchField({ label, placeholder, value, onSearch, width = 280 }: SearchFieldProps) {
  const [typed, setTyped] = useState(value);
  const [seen, setSeen] = useState(value);
  const [sent, setSent] = useState(value);
  // The address was changed by something else than this field: by a link, or by clearing all filters.
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
  /** What it filters by, such as `Status`. */
  label: string;
  /** What it says while it is not set, such as `Any status`. */
  any: string;
  /** Values with what people read. */
  choices: readonly (readonly [value: string, word: string])[];
  /** Empty: not set. */
  value: string;
  onChange: (value: string) => void;
  isSearchable?: boolean;
}

/** One filter of a list, of which one value can be chosen, or any. */
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
  /** There are more than `total`, nobody has counted how many. */
  isMinimum?: boolean;
  onChange: (page: number) => void;
  /** Sizes that can be chosen; left out: it has one. */
  sizes?: readonly number[];
  onSize?: (size: number) => void;
}

/** Which of how many things are shown, and the way to the other pages. Nothing for an empty list. */
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
