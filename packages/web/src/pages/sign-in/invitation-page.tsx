import { Anchor, Button, Skeleton, Stack, Text } from "@mantine/core";
import { ApiError } from "@millrace/client/api-error.ts";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { queryClient } from "../../api/client.ts";
import { openInvitationQuery } from "../../api/queries/identity/invitations.ts";
import { callerQuery } from "../../api/queries/identity/session.ts";
import { roleWord } from "../../components/role-word.ts";
import { invitationKey } from "../../hooks/kept-in-tab.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/identity/sign-in.ts";
import { RefusalText } from "../../ui/state/refusal-alert.tsx";
import { InvitationForms } from "./invitation-forms.tsx";
import { SignInFrame } from "./sign-in-frame.tsx";

/**
 * The page behind the link of an invitation. The token is in the URL's fragment, which browsers don't send to servers. It is removed from
 * the URL at once, so that neither the history nor a screenshot contains it, and is kept while the user signs in elsewhere.
 */
export function InvitationPage() {
  const [token] = useState(takeToken);
  const invitation = useQuery({ ...openInvitationQuery(token), enabled: token !== "" });
  const caller = useQuery({ ...callerQuery, retry: false });
  const navigate = useNavigate();
  const onJoined = async (team: string) => {
    forgetToken();
    queryClient.clear();
    await navigate({ href: paths.workflows(team), replace: true });
  };
  if (token === "" || invitation.error !== null) {
    const over = token === "" ? "incomplete" : wordOf(invitation.error);
    if (over === undefined) return <NotRead error={invitation.error} onRetry={() => void invitation.refetch()} />;
    return <Over over={over} />;
  }
  if (invitation.data === undefined || caller.isPending) {
    return (
      <SignInFrame title={t("invitationPage.loading")}>
        <Skeleton height={120} />
      </SignInFrame>
    );
  }
  const { team, invitedBy, role } = invitation.data;
  return (
    <SignInFrame title={t("invitationPage.join", { team })} detail={t("invitationPage.invited", { invitedBy, role: roleWord(role) })}>
      <InvitationForms token={token} invitation={invitation.data} signedInAs={caller.data?.email ?? undefined} onJoined={onJoined} />
    </SignInFrame>
  );
}

/** What the service says of a link that lets nobody in; undefined: it did not say. */
const words = {
  INVITATION_USED: "used",
  INVITATION_REVOKED: "revoked",
  INVITATION_EXPIRED: "expired",
  UNAUTHENTICATED: "replaced",
} as const;
type Over = "incomplete" | (typeof words)[keyof typeof words];

function wordOf(error: unknown): Over | undefined {
  const reason = error instanceof ApiError ? error.reason : "";
  return reason in words ? words[reason as keyof typeof words] : undefined;
}

/** What happened to the invitation, and what to do now. */
function Over({ over }: { over: Over }) {
  return (
    <SignInFrame title={t(`invitationOver.${over}`)}>
      <Stack gap="sm">
        <Text role="alert">{t(`invitationOver.${over}Help`)}</Text>
        {over === "used" && (
          <Button component={Link} to={paths.signIn()} fullWidth onClick={forgetToken}>
            {t("invitationOver.signIn")}
          </Button>
        )}
        <Anchor component={Link} to={paths.home()} onClick={forgetToken}>
          {t("invitationPage.goHome")}
        </Anchor>
      </Stack>
    </SignInFrame>
  );
}

/** The invitation may be good. */
function NotRead({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <SignInFrame title={t("invitationPage.notLoaded")}>
      <Stack gap="sm">
        <RefusalText error={error} />
        <Button variant="default" onClick={onRetry}>
          {t("invitationPage.tryAgain")}
        </Button>
      </Stack>
    </SignInFrame>
  );
}

function takeToken(): string {
  const given = window.location.hash.slice(1);
  if (given === "") return window.sessionStorage.getItem(invitationKey) ?? "";
  window.sessionStorage.setItem(invitationKey, given);
  window.history.replaceState(window.history.state, "", window.location.pathname);
  return given;
}

function forgetToken(): void {
  window.sessionStorage.removeItem(invitationKey);
}
