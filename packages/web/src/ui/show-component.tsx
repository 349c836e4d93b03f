import { MantineProvider } from "@mantine/core";
import { Notifications, notifications } from "@mantine/notifications";
import { QueryClient, QueryClientProvider, type QueryKey } from "@tanstack/react-query";
import {
  type AnyRoute,
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from "@tanstack/react-router";
import { act, configure, render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { FunctionComponent, ReactElement } from "react";
import { theme } from "../styles/theme.ts";

/** For tests: renders a component as the pages do, without transitions, and returns a simulated user. */
export function show(element: ReactElement) {
  const inTheme = (children: ReactElement) => (
    <MantineProvider theme={theme} env="test">
      {children}
    </MantineProvider>
  );
  configure({ defaultHidden: false });
  // Whether a pointer reaches an element is asked for each of its ancestors, and no style sheet is loaded here.
  const user = userEvent.setup({ pointerEventsCheck: 0 });
  const { rerender } = render(inTheme(element));
  return { user, again: (next: ReactElement) => rerender(inTheme(next)) };
}

/**
 * For tests of what asks the service and has links.
 * @param at the address of the page
 * @param path of its route, such as `/$team/schedules`, for a page that reads its address; other addresses are then empty
 */
export function showPage(element: ReactElement, known: Known = [], at = "/", path?: string) {
  if (path === undefined) return showRoutes(createRootRoute({ component: () => element }), known, at);
  const root = createRootRoute({ component: Outlet, notFoundComponent: () => null });
  const page = createRoute({ getParentRoute: () => root, path, component: () => element });
  return showRoutes(root.addChildren([page]), known, at);
}

/** The data that the service would return, by the keys of the queries. */
type Known = readonly (readonly [key: QueryKey, answer: unknown])[];

/**
 * For tests of pages that read their address or lead to each other.
 * @param pages by their routes, such as `/$team/activity`; a page whose route begins with that of another one is shown inside it. Any other
 * address shows nothing.
 */
export async function showPages(pages: Readonly<Record<string, FunctionComponent>>, known: Known, at: string) {
  notifications.clean();
  const root = createRootRoute({ component: PageFrame, notFoundComponent: () => null });
  const byRoute = new Map<string, AnyRoute>([["", root]]);
  const children = new Map<AnyRoute, AnyRoute[]>();
  for (const [path, component] of Object.entries(pages).sort(([one], [other]) => one.length - other.length)) {
    const frame = [...byRoute.keys()].findLast((each) => path.startsWith(`${each}/`)) ?? "";
    const parent = byRoute.get(frame) ?? root;
    const route: AnyRoute = createRoute({ getParentRoute: () => parent, path: path.slice(frame.length), component });
    byRoute.set(path, route);
    children.set(parent, [...(children.get(parent) ?? []), route]);
  }
  for (const [parent, routes] of children) parent.addChildren(routes);
  const shown = await showRoutes(root, known, at);
  // To find out what is hidden takes longer than all the rest, for all the elements of a page.
  configure({ defaultHidden: true });
  return shown;
}

function PageFrame() {
  return (
    <>
      <Notifications />
      <Outlet />
    </>
  );
}

async function showRoutes(routeTree: AnyRoute, known: Known, at: string) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY, retry: false } } });
  for (const [key, answer] of known) client.setQueryData(key, answer);
  const router = createRouter({ routeTree, history: createMemoryHistory({ initialEntries: [at] }) });
  await router.load();
  const shown = show(
    <QueryClientProvider client={client}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
  await act(async () => {});
  /** Replaces what a query has, as the stream of changes does. */
  const become = (key: QueryKey, answer: unknown) => act(async () => void client.setQueryData(key, answer));
  return { ...shown, become, address: () => router.state.location.href };
}

/** The error shown at a field, if the field is marked as invalid. */
export function faultOf(field: HTMLElement): string | undefined {
  if (field.getAttribute("aria-invalid") !== "true") return undefined;
  const ids = field.getAttribute("aria-describedby")?.split(" ") ?? [];
  return ids.map((id) => (id.endsWith("-error") ? document.getElementById(id)?.textContent : undefined)).find((text) => text);
}
