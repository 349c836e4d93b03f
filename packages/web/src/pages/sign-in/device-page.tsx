import { Anchor, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { callerQuery } from "../../api/queries/identity/session.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/identity/sign-in.ts";
import { type Asking, DeviceCodeForm, DeviceDecision } from "./device-forms.tsx";
import { SignInFrame } from "./sign-in-frame.tsx";

/**
 * Lets a user sign in the command line. The code has to be typed from the terminal and is never part of a link, so that following a link
 * from someone else isn't enough.
 */
export function DevicePage() {
  const { data: caller } = useQuery(callerQuery);
  const [asking, setAsking] = useState<Asking>();
  const [decision, setDecision] = useState<"approve" | "refuse">();
  if (caller === undefined) return null;
  if (caller.kind !== "session") return <NeedsUser />;
  if (decision !== undefined) return <DeviceDone isApproved={decision === "approve"} />;
  return (
    <SignInFrame
      title={t(asking === undefined ? "devicePage.title" : "devicePage.reviewTitle")}
      detail={t("devicePage.signedInAs", { name: caller.email ?? caller.name })}
    >
      {asking === undefined ? <DeviceCodeForm onFound={setAsking} /> : <DeviceDecision asking={asking} onDecided={setDecision} />}
    </SignInFrame>
  );
}

/** A token that acts as itself has no account that a device token could belong to. */
function NeedsUser() {
  return (
    <SignInFrame title={t("devicePage.title")}>
      <Stack gap="sm">
        <Text>{t("devicePage.needsUser")}</Text>
        <Anchor component={Link} to={paths.signIn(paths.device())}>
          {t("devicePage.signIn")}
        </Anchor>
        <Text size="sm" className="quiet">
          {t.rich("devicePage.without", { code: (words) => <code>{words}</code> })}
        </Text>
      </Stack>
    </SignInFrame>
  );
}

function DeviceDone({ isApproved }: { isApproved: boolean }) {
  if (!isApproved) {
    return (
      <SignInFrame title={t("deviceDone.refusedTitle")}>
        <Text role="status">{t("deviceDone.refused")}</Text>
      </SignInFrame>
    );
  }
  return (
    <SignInFrame title={t("deviceDone.approvedTitle")}>
      <Stack gap="sm">
        <Text role="status">{t("deviceDone.approved")}</Text>
        <Text size="sm" className="quiet">
          {t.rich("deviceDone.revoke", {
            link: (words) => (
              <Anchor component={Link} to={paths.profile("tokens")} inherit>
                {words}
              </Anchor>
            ),
          })}
        </Text>
      </Stack>
    </SignInFrame>
  );
}
