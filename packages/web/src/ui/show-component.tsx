import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider, type QueryKey } from "@tanstack/react-query";
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from "@tanstack/react-router";
import { act, render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactElement } from "react";
import { theme } from "../styles/theme.ts";

/** For tests: renders a component as the pages do, without transitions, and returns a simulated user. */
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

/**
 * For tests of what asks the service and has links.
 * @param known what the service would answer, by the keys of the questions  @param at the address of the page
 */
export async function showPage(element: ReactElement, known: readonly (readonly [key: QueryKey, answer: unknown])[] = [], at = "/") {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY, retry: false } } });
  for (const [key, answer] of known) client.setQueryData(key, answer);
  const router = createRouter({
    routeTree: createRootRoute({ component: () => element }),
    history: createMemoryHistory({ initialEntries: [at] }),
  });
  await router.load();
  const shown = show(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  await act(async () => {});
  return shown;
}

/** The error shown at a field, if the field is marked as invalid. */
export function faultOf(field: HTMLElement): string | undefined {
  if (field.getAttribute("aria-invalid") !== "true") return undefined;
  const ids = field.getAttribute("aria-describedby")?.split(" ") ?? [];
  return ids.map((id) => (id.endsWith("-error") ? document.getElementById(id)?.textContent : undefined)).find((text) => text);
}
