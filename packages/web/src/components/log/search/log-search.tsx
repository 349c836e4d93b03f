import { TextInput } from "@mantine/core";
import { IconBug, IconChevronDown, IconChevronUp, IconSearch } from "@tabler/icons-react";
import type { KeyboardEvent, RefObject } from "react";
import { messageOf } from "../../../api/api-error.ts";
import { t } from "../../../texts/run/log.ts";
import { numberText } from "../../../ui/format.ts";
import classes from "../log.module.css";
import { Tool } from "../tool.tsx";
import type { LogErrors, LogSearch } from "./use-log-search.ts";

interface SearchFieldProps {
  search: LogSearch;
  field: RefObject<HTMLInputElement | null>;
  onStep: (by: 1 | -1) => void;
}

/** Searches for a text in the whole log. */
export function SearchField({ search, field, onStep }: SearchFieldProps) {
  const { query, setQuery } = search;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") setQuery("");
    if (event.key !== "Enter") return;
    event.preventDefault();
    onStep(event.shiftKey ? -1 : 1);
  };
  return (
    <>
      <TextInput
        ref={field}
        className={classes.search}
        size="xs"
        type="search"
        aria-label={t("logSearch.searchLog")}
        placeholder={t("logSearch.searchLog")}
        maxLength={500}
        leftSection={<IconSearch size={14} aria-hidden />}
        value={query}
        onChange={(event) => setQuery(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {query !== "" && (
        <>
          <span className={classes.found} role="status">
            {foundText(search)}
          </span>
          <Tool name={t("logSearch.previousMatch")} onClick={() => onStep(-1)} icon={<IconChevronUp size={16} />} />
          <Tool name={t("logSearch.nextMatch")} onClick={() => onStep(1)} icon={<IconChevronDown size={16} />} />
        </>
      )}
    </>
  );
}

/** While the search continues there may be more than were found. */
function foundText({ count, current, isSearching, error }: LogSearch): string {
  if (error !== undefined) return messageOf(error);
  if (isSearching && count === 0) return t("logSearch.searching");
  const all = `${numberText(count)}${isSearching ? "+" : ""}`;
  return current < 0 ? t("logSearch.found", { all }) : t("logSearch.of", { current: current + 1, all });
}

/** Buttons to move between errors. */
export function ErrorSteps({ errors, onStep }: { errors: LogErrors; onStep: (by: 1 | -1) => void }) {
  const { count, current, isSearching } = errors;
  const all = `${numberText(count ?? 0)}${isSearching ? "+" : ""}`;
  return (
    <>
      <span className={classes.errors} role="status">
        {count === undefined
          ? ""
          : current === undefined
            ? isSearching
              ? t("logSearch.searching")
              : t("logSearch.noErrors")
            : t("logSearch.error", { current, all })}
      </span>
      <Tool name={t("logSearch.previousError")} onClick={() => onStep(-1)} icon={<ErrorIcon isUp />} />
      <Tool name={t("logSearch.nextError")} onClick={() => onStep(1)} icon={<ErrorIcon />} />
    </>
  );
}

function ErrorIcon({ isUp = false }: { isUp?: boolean }) {
  return (
    <span className={classes.errorIcon}>
      <IconBug size={14} />
      {isUp ? <IconChevronUp size={12} /> : <IconChevronDown size={12} />}
    </span>
  );
}
