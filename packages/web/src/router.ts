import { createRouter } from "@tanstack/react-router";
import { RouteError } from "./pages/route-error.tsx";
import { routeTree } from "./routes.tsx";

/**
 * Loads what a link leads to as soon as the pointer rests on it. A page that breaks says so in its own place; what stands around it stays.
 */
export const router = createRouter({
  routeTree,
  defaultErrorComponent: RouteError,
  defaultPreload: "intent",
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
