import { Button, Group, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { t } from "../../texts/ui.ts";
import { PageHeader, type PageHeaderProps } from "../page-header.tsx";
import { EmptyState } from "../state/notice.tsx";
import classes from "./list-page.module.css";
import { focusFilter, PageChoice, type PageChoiceProps } from "./search-field.tsx";

interface ListPageProps extends Omit<PageHeaderProps, "children"> {
  /** At the top right, the main action last. */
  actions?: ReactNode;
  /** The search and the filters, stored in the URL. Left out while there is nothing to filter. */
  filters?: ReactNode;
  /** The number of objects, beside the filters; announced when it changes. */
  count?: string | undefined;
  /** Shown above the table: the actions for the selected objects. */
  bar?: ReactNode;
  /** The current page; undefined while it loads. */
  pages?: PageChoiceProps | undefined;
  /** Whether the content uses the full width, as a calendar does. */
  isWide?: boolean;
  /** The table, or what replaces it. */
  children: ReactNode;
}

/** A list as a page: title and actions, search and filters, the table, and pagination. */
export function ListPage({ actions, filters, count, bar, pages, isWide, children, ...header }: ListPageProps) {
  return (
    <>
      <PageHeader {...header}>{actions}</PageHeader>
      <ListBody
        filters={filters}
        count={count}
        bar={bar && <div className={classes.bar}>{bar}</div>}
        pages={pages}
        isWide={isWide ?? false}
      >
        {children}
      </ListBody>
    </>
  );
}

/** The same below a title that is elsewhere. */
export function ListBody({
  filters,
  count,
  bar,
  pages,
  isWide = false,
  children,
}: Pick<ListPageProps, "filters" | "count" | "bar" | "pages" | "isWide" | "children">) {
  return (
    <>
      {filters && (
        <Group component="search" aria-label={t("listPage.filters")} className={classes.filters} gap="xs">
          {filters}
          {count !== undefined && (
            <span className="quiet" role="status">
              {count}
            </span>
          )}
        </Group>
      )}
      {bar && <div className={classes.bar}>{bar}</div>}
      <div className={isWide ? undefined : classes.list}>{children}</div>
      {pages && (
        <div className={classes.pages}>
          <PageChoice {...pages} />
        </div>
      )}
    </>
  );
}

interface ListSectionProps {
  /** A subdued line about the list. */
  note?: ReactNode;
  /** At the right, the main action last. */
  actions?: ReactNode;
  filters?: ReactNode;
  pages?: PageChoiceProps | undefined;
  children: ReactNode;
}

/** A list as a section of a page. */
export function ListSection({ note, actions, filters, pages, children }: ListSectionProps) {
  return (
    <Stack gap="sm">
      {(note || actions) && (
        <Group justify="space-between" gap="xs">
          <Text component="div" size="sm" className="quiet">
            {note}
          </Text>
          <Group gap="xs">{actions}</Group>
        </Group>
      )}
      {filters}
      {children}
      {pages && <PageChoice {...pages} />}
    </Stack>
  );
}

interface NothingFoundProps {
  /** The plural, e.g. `workflows`. */
  things: string;
  /** The search text; empty: only other filters are set. */
  search: string;
  onClear: () => void;
}

/** Shown if no object matches: what was searched, and a button that clears the filters. */
export function NothingFound({ things, search, onClear }: NothingFoundProps) {
  const clear = () => {
    onClear();
    focusFilter();
  };
  return (
    <EmptyState title={t("nothingFound.noMatching", { things })}>
      <Text className="quiet" maw={480} style={{ overflowWrap: "anywhere" }}>
        {search.trim() === ""
          ? t("nothingFound.nothingMatchesTheseFilters")
          : t("nothingFound.noResultsTheseFilters", { search: search.trim() })}
      </Text>
      <Button variant="default" size="xs" onClick={clear}>
        {t("nothingFound.showAll", { things })}
      </Button>
    </EmptyState>
  );
}
