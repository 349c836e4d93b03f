import { Anchor } from "@mantine/core";
import type { ReactNode } from "react";
import { PlaceLink, type PlaceLinkProps } from "../place-link.tsx";

const look = { inherit: true, c: "inherit", fw: 500, ta: "left", underline: "hover", "data-row-link": true } as const;

/** What leads to the thing of a row: its name, in the ink's colour. Enter on a row, and `j` and `k`, take it. */
export function RowLink({ to, search, children }: Pick<PlaceLinkProps, "to" | "search"> & { children: ReactNode }) {
  return (
    <Anchor component={PlaceLink} {...look} to={to} {...(search !== undefined && { search })}>
      {children}
    </Anchor>
  );
}

/** The same for what opens beside the table. */
export function RowButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <Anchor component="button" type="button" {...look} onClick={onClick}>
      {children}
    </Anchor>
  );
}
