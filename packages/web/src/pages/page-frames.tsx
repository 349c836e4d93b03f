import { ApiError } from "@millrace/client/api-error.ts";
import { useQuery } from "@tanstack/react-query";
import { Outlet, useLocation, useParams, useRouter } from "@tanstack/react-router";
import { Fragment, type ReactNode, useEffect } from "react";
import { callerQuery, teamQuery } from "../api/queries/identity/session.ts";
import { PageView } from "../components/missing/page-view.tsx";
import { Shell } from "../components/shell/shell.tsx";
import { keepToAccount } from "../hooks/kept-in-tab.ts";
import { useChanges } from "../hooks/use-renew.ts";
import { useTeam } from "../hooks/use-team.ts";
import { paths } from "../paths.ts";
import { t } from "../texts/frame.ts";
import { TabPlace } from "../ui/page-header.tsx";
import { LoadingState, NotLoaded } from "../ui/state/not-loaded.tsx";

/** Set when a user has signed in in this tab: if they have to sign in again, they see that the session has ended. */
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

/** A page without the navigation, for a single question. */
export function SignedInAlone() {
  return (
    <Guard>
      <Outlet />
    </Guard>
  );
}

/** Shows its content to signed-in users. Others are sent to the sign-in page, or to the activation if the instance isn't activated yet. */
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
  // Before a page reads what was kept.
  keepToAccount(data.id);
  // What an open page has in memory is of the user, too: another one may sign in in another tab.
  return <Fragment key={data.id}>{children}</Fragment>;
}

/** Redirects once, and remembers the requested page. */
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

/** Loads the team named in the URL, and keeps the data of its pages up to date. */
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
