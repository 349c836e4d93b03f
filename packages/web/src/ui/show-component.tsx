import { MantineProvider } from "@mantine/core";
import { render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactElement } from "react";
import { theme } from "../styles/theme.ts";

/** For tests: draws a component as the pages do, without transitions, and gives somebody who presses and types. */
export function show(element: ReactElement) {
  const inTheme = (children: ReactElement) => (
    <MantineProvider theme={theme} env="test">
      {children}
    </MantineProvider>
  );
  const user = userEvent.setup();
  const { rerender } = render(inTheme(element));
  return { user, again: (next: ReactElement) => rerender(inTheme(next)) };
}
