import { Anchor, Kbd, Table } from "@mantine/core";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { PlaceLink, type PlaceLinkProps } from "../page-header.tsx";
import classes from "./scroll-box.module.css";

const look = { inherit: true, c: "inherit", fw: 500, ta: "left", underline: "hover", "data-row-link": true } as const;

/** The link of a row: its name, in the text colour. Enter on a row, and `j` and `k`, use it. */
export function RowLink({ to, search, children }: Pick<PlaceLinkProps, "to" | "search"> & { children: ReactNode }) {
  return (
    <Anchor component={PlaceLink} {...look} {...titleOf(children)} to={to} {...(search !== undefined && { search })}>
      {children}
    </Anchor>
  );
}

/** The same for an object that opens beside the table. */
export function RowButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <Anchor component="button" type="button" {...look} {...titleOf(children)} onClick={onClick}>
      {children}
    </Anchor>
  );
}

/** The full name as a tooltip, in case it is cut off. */
const titleOf = (name: ReactNode) => (typeof name === "string" ? { title: name } : {});

interface ScrollBoxProps {
  /** The label for screen readers. */
  label: string;
  /** In pixels; higher content scrolls inside. */
  maxHeight?: number | undefined;
  /** Without its own frame and region, for a part of the page that already has both. */
  isBare?: boolean;
  children: ReactNode;
}

/**
 * The only box for content that scrolls horizontally. While everything fits it is a plain frame, so that the header of a table can stick
 * below the header of the page. Once it scrolls, it can take the keyboard focus.
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

/** Whether its content is wider than the element. Both are observed: a column may grow, or the window may shrink. */
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
  /** Alternative keys are separated by a comma and a space. */
  keys: readonly (readonly [keys: string, command: string])[];
  /** The width of the column with the keys, in pixels. On a phone it is less, since the words beside it need room. */
  width: number;
}

/** The available keys, and what each does. */
export function KeyTable({ keys, width }: KeyTableProps) {
  return (
    <Table>
      <Table.Tbody>
        {keys.map(([names, command]) => (
          <Table.Tr key={names}>
            <Table.Th scope="row" w={width} maw="40vw" fw={400}>
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
