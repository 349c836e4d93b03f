import { Group, Stack, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { Link, type LinkProps, type RegisteredRouter } from "@tanstack/react-router";
import { type ComponentPropsWithRef, createContext, type ReactNode, useContext } from "react";
import { t } from "../texts/ui.ts";
import classes from "./page-header.module.css";

/** The place of the page, e.g. the name of the team: appended to the title in the browser tab, so that tabs can be told apart. */
export const TabPlace = createContext<string | undefined>(undefined);

/** Sets the title of the browser tab. The most distinctive words come first, because a narrow tab shows no more. */
export function useTabTitle(...words: (string | undefined)[]): void {
  const place = useContext(TabPlace);
  useDocumentTitle([...new Set([...words, place, t("tabTitle.millrace")])].filter((word) => word !== undefined && word !== "").join(" · "));
}

export interface PageHeaderProps {
  title: string;
  /** The title of the browser tab, if it differs: with the status, or the part of the object that is shown. */
  tab?: string | undefined;
  /** Shown beside the title: a status, a version. */
  state?: ReactNode;
  /** A subdued line below the title. */
  detail?: ReactNode;
  /** At the top right, the main action last. */
  children?: ReactNode;
}

/** Title, state and main action, in the same place on every page. The only `h1` of the page; also sets the title of the browser tab. */
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

/** A link for the `component` property of buttons and anchors, whose types would lose the router's types of `search`. */
export function PlaceLink({ to, search, ...rest }: PlaceLinkProps) {
  const place: ToAnywhere = { to, ...(search !== undefined && { search }) };
  return <Link {...rest} {...place} />;
}
