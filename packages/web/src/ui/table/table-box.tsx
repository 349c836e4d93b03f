import { Table, type TableProps } from "@mantine/core";
import classes from "./table-box.module.css";

interface TableBoxProps extends TableProps {
  /** What the table lists, for who does not see it. */
  label: string;
}

/**
 * A dense table that scrolls inside its own frame where the page is narrow; the frame takes the keyboard's focus, so that it can be
 * scrolled by keys.
 */
export function TableBox({ label, children, ...rest }: TableBoxProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className={classes.box} aria-label={label} tabIndex={0}>
      <Table verticalSpacing={6} horizontalSpacing="sm" fz="sm" {...rest}>
        {children}
      </Table>
    </section>
  );
}
