import { CloseButton, TextInput } from "@mantine/core";
import { useDebouncedCallback, useHotkeys } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { t } from "../../texts/ui.ts";

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
  // The button goes with the text: who pressed it goes on in the field.
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
