import { useQuery } from "@tanstack/react-query";
import { Outlet, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { ApiError } from "../api/api-error.ts";
import { callerQuery } from "../api/queries/session.ts";
import { Shell } from "../components/shell/shell.tsx";
import { paths } from "../paths.ts";
import { t } from "../texts/frame.ts";
import { LoadingState } from "../ui/state/loading-state.tsx";
import { NotLoaded } from "../ui/state/not-loaded.tsx";

/** In this tab somebody was signed in: who has to sign in again hears that the session has ended. */
const wasHere = "millrace-was-signed-in";

/** Lets in who is signed in; everybody else goes to the sign-in, and an instance that is not activated to its activation. */
export function SignedIn() {
  const query = useQuery(callerQuery);
  const { data, error } = query;
  const status = error instanceof ApiError ? error.status : undefined;
  useEffect(() => {
    if (data !== undefined) sessionStorage.setItem(wasHere, "true");
  }, [data]);
  if (status === 401) return <Leave to="sign-in" />;
  if (status === 423) return <Leave to="activation" />;
  if (data === undefined) return <NotLoaded query={query} label={t("signedIn.signing")} />;
  return (
    <Shell>
      <Outlet />
    </Shell>
  );
}

/** Once, and remembering where somebody wanted to go. */
function Leave({ to }: { to: "sign-in" | "activation" }) {
  const router = useRouter();
  useEffect(() => {
    const { href } = router.state.location;
    const wanted = href === "/" || href.startsWith(paths.home()) ? undefined : href;
    const isEnded = sessionStorage.getItem(wasHere) !== null;
    sessionStorage.removeItem(wasHere);
    void router.navigate({ href: to === "activation" ? paths.activate() : paths.signIn(wanted, isEnded), replace: true });
  }, [router, to]);
  return <LoadingState label={t("signedIn.goingSignPage")} />;
}
