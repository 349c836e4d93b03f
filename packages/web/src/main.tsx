import "@fontsource/roboto/400.css";
import "@fontsource/roboto/500.css";
import "@fontsource/roboto-mono/400.css";
import "./styles/mantine.css";
import "@mantine/notifications/styles.css";
import "./styles/tokens.css";
import "./styles/base.css";
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { createRouter, RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queryClient } from "./api/client.ts";
import { watchNetwork } from "./api/connection.ts";
import { firstFile } from "./first-file.ts";
import { RouteError } from "./pages/error-pages.tsx";
import { routeTree } from "./routes.tsx";
import { theme } from "./styles/theme.ts";
import { language, loadTexts } from "./texts/language.ts";
import { keepFocusAroundDialogs } from "./ui/dialog/dialog-focus.ts";
import { keepFocusWhereThingsVanish } from "./ui/dialog/vanished-focus.ts";
import { LateNotifications } from "./ui/late-notifications.tsx";

/**
 * Preloads a page as soon as the pointer rests on a link to it. A page that fails shows its error in its own place; the frame around it
 * stays.
 */
const router = createRouter({
  routeTree,
  defaultErrorComponent: RouteError,
  defaultPreload: "intent",
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  context: { firstFile },
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

// Otherwise a font is asked for once its first text is drawn, and then moves what is beside that text.
for (const font of ["400 1em Roboto", "500 1em Roboto"]) void document.fonts.load(font).catch(() => undefined);
document.documentElement.lang = language;
watchNetwork();
keepFocusAroundDialogs();
keepFocusWhereThingsVanish();
void loadTexts().then(() =>
  createRoot(document.getElementById("root") as HTMLElement).render(
    <StrictMode>
      <MantineProvider theme={theme} defaultColorScheme="auto" deduplicateCssVariables={false}>
        <QueryClientProvider client={queryClient}>
          <LateNotifications />
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  ),
);
