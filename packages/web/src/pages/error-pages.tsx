import { Anchor, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { paths } from "../paths.ts";
import { t } from "../texts/frame.ts";
import { useTabTitle } from "../ui/page-header.tsx";
import { ErrorState } from "../ui/state/not-loaded.tsx";
import { EmptyState } from "../ui/state/notice.tsx";

/** Where an address leads to nothing: inside of the frame for who is signed in, so that all ways on stay there. */
export function NotFoundPage() {
  useTabTitle(t("notFoundPage.notFound"));
  return (
    <EmptyState title={t("notFoundPage.pageNotFound")}>
      <Text className="quiet">{t("notFoundPage.pageMayHaveBeen")}</Text>
      <Anchor component={Link} to={paths.home()}>
        {t("notFoundPage.goHomePage")}
      </Anchor>
    </EmptyState>
  );
}

/** What a page itself did not catch, such as a part of the interface that could not be loaded after a new version of the service. */
export function RouteError({ error }: { error: unknown }) {
  return <ErrorState error={error} onRetry={() => window.location.reload()} />;
}
