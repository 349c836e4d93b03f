import { ApiError } from "@millrace/client/api-error.ts";
import { useQuery } from "@tanstack/react-query";
import { Outlet, useLocation, useParams, useRouter } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import { callerQuery, teamQuery } from "../api/queries/identity/session.ts";
import { PageView } from "../components/missing/page-view.tsx";
import { Shell } from "../components/shell/shell.tsx";
import { useChanges } from "../hooks/use-renew.ts";
import { useTeam } from "../hooks/use-team.ts";
import { paths } from "../paths.ts";
import { t } from "../texts/frame.ts";
import { TabPlace } from "../ui/page-header.tsx";
import { LoadingState, NotLoaded } from "../ui/state/not-loaded.tsx";

/** In this tab somebody was signed in: who has to sign in again hears that the session has ended. */
const wasHere = "millrace-was-signed-in";

export function SignedIn() {
  return (
    <Guard>
      <Shell>
        <Outlet />
      </Shell>
    </Guard>
  );
}

/** A page of its own, without the navigation: for one question. */
export function SignedInAlone() {
  return (
    <Guard>
      <Outlet />
    </Guard>
  );
}

/** Lets in who is signed in; everybody else goes to the sign-in, and an instance that is not activated to its activation. */
function Guard({ children }: { children: ReactNode }) {
  const query = useQuery(callerQuery);
  const { data, error } = query;
  const status = error instanceof ApiError ? error.status : undefined;
  useEffect(() => {
    if (data !== undefined) sessionStorage.setItem(wasHere, "true");
  }, [data]);
  if (status === 401) return <Leave to="sign-in" />;
  if (status === 423) return <Leave to="activation" />;
  if (data === undefined) return <NotLoaded query={query} label={t("signedIn.signing")} />;
  return children;
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

/** Finds the team of the address, and keeps what its pages show up to date. */
export function TeamFrame() {
  const team = useTeam();
  const query = useQuery(teamQuery(team));
  const { pathname } = useLocation();
  // Any unknown address looks as if it began with a team.
  const isElsewhere = useParams({ strict: false })._splat !== undefined;
  return (
    <PageView
      query={query}
      label={t("teamFrame.loadingTeam")}
      sought={isElsewhere ? { kind: "page", name: pathname } : { kind: "team", name: team }}
    >
      {({ displayName, name }) => (
        <TabPlace value={displayName || name}>
          <FollowChanges team={team} />
          <Outlet />
        </TabPlace>
      )}
    </PageView>
  );
}

/** Of a team that is there: of another one no stream can be opened. */
function FollowChanges({ team }: { team: string }) {
  useChanges(team);
  return null;
}
