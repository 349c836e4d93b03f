import { Anchor, Kbd, Table } from "@mantine/core";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { PlaceLink, type PlaceLinkProps } from "../page-header.tsx";
import classes from "./scroll-box.module.css";

const look = { inherit: true, c: "inherit", fw: 500, ta: "left", underline: "hover", "data-row-link": true } as const;

/** What leads to the thing of a row: its name, in the ink's colour. Enter on a row, and `j` and `k`, take it. */
export function RowLink({ to, search, children }: Pick<PlaceLinkProps, "to" | "search"> & { children: ReactNode }) {
  return (
    <Anchor component={PlaceLink} {...look} {...titleOf(children)} to={to} {...(search !== undefined && { search })}>
      {children}
    </Anchor>
  );
}

/** The same for what opens beside the table. */
export function RowButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <Anchor component="button" type="button" {...look} {...titleOf(children)} onClick={onClick}>
      {children}
    </Anchor>
  );
}

/** In full, where it is cut. */
const titleOf = (name: ReactNode) => (typeof name === "string" ? { title: name } : {});

interface ScrollBoxProps {
  /** What is in it, for people who don't see it. */
  label: string;
  /** In pixels; what is higher scrolls inside. */
  maxHeight?: number | undefined;
  /** Without a frame and a region of its own, in a part of the page that has both already. */
  isBare?: boolean;
  children: ReactNode;
}

/**
 * The one box in which something wide scrolls. While everything fits it is a plain frame, so that the head of a table can stay below
 * the header of the page; once it scrolls it takes the keyboard's focus.
 */
export function ScrollBox({ label, maxHeight, isBare = false, children }: ScrollBoxProps) {
  const box = useRef<HTMLElement>(null);
  const isWide = useIsTooWide(box);
  const scrolls = isWide || maxHeight !== undefined;
  return (
    <section
      ref={box}
      className={classes.box}
      aria-label={label}
      {...(isBare && { role: "group" })}
      data-scrolls={scrolls || undefined}
      data-bare={isBare || undefined}
      style={{ maxHeight }}
      {...(scrolls && { tabIndex: 0 })}
    >
      {children}
    </section>
  );
}

/** Whether its content is wider than the element. Both are watched: a column may grow, or the window may shrink. */
function useIsTooWide(element: { readonly current: HTMLElement | null }): boolean {
  const [isTooWide, setTooWide] = useState(false);
  useEffect(() => {
    const box = element.current;
    const content = box?.firstElementChild;
    if (!box || !content) return;
    const measure = () => setTooWide(content.getBoundingClientRect().width > box.clientWidth + 1);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    observer.observe(content);
    return () => observer.disconnect();
  }, [element]);
  return isTooWide;
}

interface KeyTableProps {
  /** Keys that do the same are separated by a comma and a blank. */
  keys: readonly (readonly [keys: string, command: string])[];
  /** Of the column with the keys, in pixels. */
  width: number;
}

/** Which keys there are, and what each does. */
export function KeyTable({ keys, width }: KeyTableProps) {
  return (
    <Table>
      <Table.Tbody>
        {keys.map(([names, command]) => (
          <Table.Tr key={names}>
            <Table.Th scope="row" w={width} fw={400}>
              {names.split(", ").map((name, index) => (
                <span key={name}>
                  {index > 0 && " "}
                  <Kbd style={{ whiteSpace: "nowrap" }}>{name}</Kbd>
                </span>
              ))}
            </Table.Th>
            <Table.Td>{command}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
