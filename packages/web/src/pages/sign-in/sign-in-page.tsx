import { Anchor, Button, Divider, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { methodsQuery } from "../../api/queries/identity/session.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { t } from "../../texts/identity/sign-in.ts";
import classes from "./sign-in.module.css";
import { insidePath, PasswordForm, ResetForm, TokenForm } from "./sign-in-forms.tsx";
import { SignInFrame } from "./sign-in-frame.tsx";

/** All ways to sign in that the service offers, the best first. The field for an access token is always shown. */
export function SignInPage() {
  const [{ returnTo, with: way, ended }, change] = useSearchState({ returnTo: "", with: "", ended: false });
  const foot = (
    <>
      <Anchor href="/docs">{t("signInPage.handbook")}</Anchor> · <Anchor href="/api/docs">{t("signInPage.apiDocumentation")}</Anchor>
    </>
  );
  if (way === "code") {
    return (
      <SignInFrame title={t("signInPage.setPassword")} foot={foot}>
        <ResetForm onBack={() => change({ with: "" })} />
      </SignInFrame>
    );
  }
  return (
    <SignInFrame title={t("signInPage.signMillrace")} foot={foot}>
      <Stack gap="md">
        <WhyHere isEnded={ended} returnTo={returnTo} />
        <Ways returnTo={returnTo} onForgotten={() => change({ with: "code" }, { replace: false })} />
      </Stack>
    </SignInFrame>
  );
}

/** Tells a user whose session has ended why they are here, and that the page they were on will open again. */
function WhyHere({ isEnded, returnTo }: { isEnded: boolean; returnTo: string }) {
  if (!isEnded && returnTo === "") return null;
  const why = isEnded ? t("signInPage.sessionHasEndedSign") : t("signInPage.signSeePage");
  return (
    <Text role="status" size="sm" className={classes.note}>
      {why} {returnTo !== "" && t("signInPage.signContinue")}
    </Text>
  );
}

function Ways({ returnTo, onForgotten }: { returnTo: string; onForgotten: () => void }) {
  const { data } = useQuery(methodsQuery);
  const oidc = data?.methods.find(({ type }) => type === "oidc");
  const hasPasswords = data?.methods.some(({ type }) => type === "password") === true;
  return (
    <>
      {data?.auth === "off" && (
        <Button component="a" href={insidePath(returnTo)}>
          {t("signInPage.continueWithoutSigning")}
        </Button>
      )}
      {oidc?.url && (
        <Button component="a" href={`${oidc.url}?returnTo=${encodeURIComponent(insidePath(returnTo))}`}>
          {t("signInPage.continueSingleSign")}
        </Button>
      )}
      {hasPasswords && oidc && <Divider label={t("signInPage.password")} />}
      {hasPasswords && <PasswordForm isMain={!oidc} onForgotten={onForgotten} />}
      {(oidc || hasPasswords) && <Divider label={t("signInPage.accessToken")} />}
      <TokenForm isMain={!oidc && !hasPasswords} />
    </>
  );
}
