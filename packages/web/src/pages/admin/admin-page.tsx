import { Box } from "@mantine/core";
import { ApiError } from "@millrace/client/api-error.ts";
import { Suspense } from "react";
import { useRights } from "../../hooks/use-caller.ts";
import { useChangesEverywhere } from "../../hooks/use-renew.ts";
import { useParam } from "../../hooks/use-team.ts";
import { t } from "../../texts/settings/administration.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import { ErrorState, LoadingState } from "../../ui/state/not-loaded.tsx";
import { NotFoundPage } from "../error-pages.tsx";
import { adminSections } from "./admin-sections.tsx";

/** One section of the administration. A user who may not read it sees which permission is needed, and no request is sent. */
export function AdminPage() {
  const section = useParam("section");
  const rights = useRights();
  useChangesEverywhere();
  const known = adminSections[section];
  if (known === undefined) return <NotFoundPage />;
  const whyNot = rights.whyNot(known.permission);
  if (whyNot !== undefined) {
    return (
      <>
        <PageHeader title={known.title} />
        <ErrorState error={new ApiError(403, "PERMISSION_DENIED", whyNot)} />
      </>
    );
  }
  return (
    <Suspense fallback={<LoadingState label={t("adminPage.loading", { title: known.title })} />}>
      {known.detail === undefined ? (
        <known.Section key={section} />
      ) : (
        <>
          <PageHeader title={known.title} detail={known.detail} />
          <Box {...(!known.hasOwnMargins && { px: "md", pb: "md" })}>
            <known.Section key={section} />
          </Box>
        </>
      )}
    </Suspense>
  );
}
