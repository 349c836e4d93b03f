import { Anchor, Divider, Stack, Text } from "@mantine/core";
import { ApiError } from "@millrace/client/api-error.ts";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { callerQuery } from "../../api/queries/identity/session.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/identity/sign-in.ts";
import { ActivateForm, TokenForm } from "./sign-in-forms.tsx";
import { SignInFrame } from "./sign-in-frame.tsx";

/** The first page of a new instance: proves that the user may activate it, and creates the first administrator. */
export function ActivatePage() {
  const { data, error } = useQuery({ ...callerQuery, retry: false });
  const isOver = data !== undefined || (error instanceof ApiError && error.status === 401);
  if (isOver) {
    return (
      <SignInFrame title={t("activatePage.instanceAlreadyActivated")}>
        <Stack gap="sm">
          <Text>{t("activatePage.askAdministratorsAccess")}</Text>
          <Anchor component={Link} to={data === undefined ? paths.signIn() : paths.home()}>
            {data === undefined ? t("activatePage.sign") : t("activatePage.goHomePage")}
          </Anchor>
        </Stack>
      </SignInFrame>
    );
  }
  return (
    <SignInFrame title={t("activatePage.activateMillrace")} detail={t("activatePage.newInstanceCreateFirst")}>
      <Stack gap="md">
        <ActivateForm />
        <Divider label={t("signInPage.accessToken")} />
        <TokenForm isMain={false} />
      </Stack>
    </SignInFrame>
  );
}
