import { createRouter } from "@tanstack/react-router";
import { routeTree } from "./routes.tsx";

/** Loads what a link leads to as soon as the pointer rests on it. */
export const router = createRouter({ routeTree, defaultPreload: "intent", defaultPreloadStaleTime: 0, scrollRestoration: true });

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
