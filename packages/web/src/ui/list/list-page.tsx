import { Group } from "@mantine/core";
import type { ReactNode } from "react";
import { t } from "../../texts/ui.ts";
import { PageHeader, type PageHeaderProps } from "../page-header.tsx";
import classes from "./list-page.module.css";
import { PageChoice, type PageChoiceProps } from "./page-choice.tsx";

interface ListPageProps extends Omit<PageHeaderProps, "children"> {
  /** At the right top: the main action last. */
  actions?: ReactNode;
  /** Search and filters; what they say is in the address. Left out while there is nothing to filter. */
  filters?: ReactNode;
  /** How many things there are, beside the filters; said when it changes. */
  count?: string | undefined;
  /** Above the table: what can be done with all that is selected. */
  bar?: ReactNode;
  /** Which part is shown; undefined while it loads. */
  pages?: PageChoiceProps | undefined;
  /** What is shown reaches from edge to edge, as a calendar does. */
  isWide?: boolean;
  /** The table, or what stands for it. */
  children: ReactNode;
}

/** A list as a page: title and actions, search and filters, the table, and the way to its other pages. */
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

/** The same below a title that stands elsewhere. */
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
