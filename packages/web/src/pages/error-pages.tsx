import { Anchor, Text } from "@mantine/core";
import { Link, useLocation, useParams } from "@tanstack/react-router";
import { Missing } from "../components/missing/page-view.tsx";
import { paths } from "../paths.ts";
import { t } from "../texts/frame.ts";
import { useTabTitle } from "../ui/page-header.tsx";
import { ErrorState } from "../ui/state/not-loaded.tsx";

/** Where an address leads to nothing: inside of the frame for users who are signed in, so that all ways on stay there. */
export function NotFoundPage() {
  const { pathname } = useLocation();
  const { team } = useParams({ strict: false });
  return <Missing sought={{ kind: "page", name: pathname, team }} />;
}

/** Errors that a page didn't handle, e.g. a part of the interface that could not be loaded after an upgrade of the service. */
export function RouteError({ error }: { error: unknown }) {
  useTabTitle(t("routeError.notLoaded"));
  return (
    <>
      <ErrorState error={error} onRetry={() => window.location.reload()} />
      <Text px="md">
        <Anchor component={Link} to={paths.home()}>
          {t("routeError.goHomePage")}
        </Anchor>
      </Text>
    </>
  );
}
