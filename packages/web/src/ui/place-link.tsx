import { Link, type LinkProps, type RegisteredRouter } from "@tanstack/react-router";
import type { ComponentPropsWithRef } from "react";

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
