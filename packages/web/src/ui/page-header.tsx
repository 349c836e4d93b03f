import { Group, Stack, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { Link, type LinkProps, type RegisteredRouter } from "@tanstack/react-router";
import { type ComponentPropsWithRef, createContext, type ReactNode, useContext } from "react";
import { t } from "../texts/ui.ts";
import classes from "./page-header.module.css";

/** Where the page is, such as the name of the team: told behind the page's own title, so that many tabs can be told apart. */
export const TabPlace = createContext<string | undefined>(undefined);

/** The title of the browser's tab: what most tells pages apart comes first, because a narrow tab shows no more. */
export function useTabTitle(...words: (string | undefined)[]): void {
  const place = useContext(TabPlace);
  useDocumentTitle([...new Set([...words, place, t("tabTitle.millrace")])].filter((word) => word !== undefined && word !== "").join(" · "));
}

export interface PageHeaderProps {
  title: string;
  /** What the browser's tab says instead of the title: with the state, or the part of the thing that is shown. */
  tab?: string | undefined;
  /** Beside the title: a status, a version. */
  state?: ReactNode;
  /** Below it, one quiet line. */
  detail?: ReactNode;
  /** At the right top: the main action last. */
  children?: ReactNode;
}

/** Title, state and main action: at the same place on every page. The only `h1` of the page, and the title of the browser's tab. */
export function PageHeader({ title, tab, state, detail, children }: PageHeaderProps) {
  useTabTitle(tab ?? title);
  return (
    <Group component="header" justify="space-between" align="flex-start" gap="sm" px="md" py="sm" wrap="wrap">
      <Stack gap={0} className={classes.words ?? ""}>
        <Group gap="xs">
          <Title order={1}>{title}</Title>
          {state}
        </Group>
        {detail && (
          <Text component="div" size="sm" className="quiet">
            {detail}
          </Text>
        )}
      </Stack>
      <Group gap="xs">{children}</Group>
    </Group>
  );
}

type ToAnywhere = LinkProps<"a", RegisteredRouter, string, string>;

export interface PlaceLinkProps extends Omit<ComponentPropsWithRef<"a">, "href"> {
  to: string;
  search?: ToAnywhere["search"];
}

/** A link as `component` of a button or an anchor: those would forget what the router knows of `search`. */
export function PlaceLink({ to, search, ...rest }: PlaceLinkProps) {
  const place: ToAnywhere = { to, ...(search !== undefined && { search }) };
  return <Link {...rest} {...place} />;
}
