import { Anchor, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { paths } from "../paths.ts";
import { t } from "../texts/frame.ts";
import { EmptyState } from "../ui/state/empty-state.tsx";
import { useTabTitle } from "../ui/tab-title.ts";

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
