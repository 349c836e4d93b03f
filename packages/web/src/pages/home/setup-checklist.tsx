import { Anchor, Button, Group, Text, Title } from "@mantine/core";
import { IconCircleCheckFilled, IconCircleDashed } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { messageOf } from "../../api/api-error.ts";
import { api, call } from "../../api/client.ts";
import { setupQuery } from "../../api/queries/setup.ts";
import { useApiMutation } from "../../hooks/use-renew.ts";
import { type PageSearch, paths } from "../../paths.ts";
import { t } from "../../texts/settings/setup.ts";
import { PlaceLink } from "../../ui/page-header.tsx";
import classes from "./setup-checklist.module.css";

interface SetupChecklistProps {
  /** The names of the caller's teams, including the one that exists in a new instance. */
  teams: readonly string[];
  /** Called when the reader has closed it. */
  onClosed: () => void;
}

const sampleTeam = "getting-started";

/**
 * The next steps for the administrator of a new instance. Hidden once all are done or an administrator dismisses it; where it is looked at,
 * only by a click or with the next visit, since the page below it would move.
 */
export function SetupChecklist({ teams, onClosed }: SetupChecklistProps) {
  const { data } = useQuery(setupQuery);
  const { mutate, isPending, error } = useApiMutation({
    mutationFn: () => call(api.DELETE("/api/v2/setup")),
    changes: ["overview", "setup"],
    onSuccess: () => {
      setShown(false);
      if (isShown) onClosed();
    },
  });
  const isDone = data?.steps.every(({ done }) => done) === true;
  const isOpen = data?.open === true;
  const [isShown, setShown] = useState<boolean>();
  if (isShown === undefined && data !== undefined) setShown(isOpen && !isDone);
  const isLeftOver = isShown === false && isOpen && isDone;
  useEffect(() => {
    if (isLeftOver) mutate();
  }, [isLeftOver, mutate]);
  if (data === undefined || !isShown) return null;
  const places = placesOf(teams.find((name) => name !== sampleTeam));
  const count = data.steps.filter(({ done }) => done).length;
  return (
    <section aria-label={t("setupChecklist.title")} className={classes.checklist}>
      <Group justify="space-between" align="baseline" gap="xs">
        <Title order={2}>{t("setupChecklist.title")}</Title>
        <Text size="sm" className="quiet">
          {t("setupChecklist.progress", { count, total: data.steps.length })}
        </Text>
      </Group>
      <ul className={classes.steps}>
        {data.steps.map(({ name, done }) => (
          <li key={name} className={classes.step}>
            {done ? (
              <IconCircleCheckFilled size={18} className={classes.done} role="img" aria-label={t("setupChecklist.done")} />
            ) : (
              <IconCircleDashed size={18} className="quiet" role="img" aria-label={t("setupChecklist.open")} />
            )}
            <div>
              <Place place={places[name]}>{t(`setupChecklist.${name}`)}</Place>
              <Text size="sm" className="quiet">
                {t(`setupChecklist.${name}Help`)}{" "}
                {name === "mail" && done && <Place place={places.mail}>{t("setupChecklist.testMail")}</Place>}
                {name === "workflow" && teams.includes(sampleTeam) && (
                  <Anchor component={PlaceLink} inherit to={paths.workflows(sampleTeam)}>
                    {t("setupChecklist.seeExamples")}
                  </Anchor>
                )}
              </Text>
            </div>
          </li>
        ))}
      </ul>
      {error !== null && (
        <Text role="alert" size="sm" c="var(--status-failed)">
          {messageOf(error)}
        </Text>
      )}
      <Button size="compact-sm" variant="default" loading={isPending} onClick={() => mutate()}>
        {t(isDone ? "setupChecklist.close" : "setupChecklist.dismiss")}
      </Button>
    </section>
  );
}

type StepName = "workflow" | "executors" | "mail" | "signIn" | "invite";
/** A page of the interface or of the handbook. */
type StepPlace = { to: string; search?: PageSearch } | { href: string };

function placesOf(team: string | undefined): Record<StepName, StepPlace> {
  return {
    workflow: team === undefined ? { to: paths.home(), search: { create: true } } : { to: paths.workflowCreate(team) },
    executors: { to: paths.admin("workers") },
    mail: { to: paths.admin("settings"), search: { group: "mail" } },
    signIn: { href: "/docs/sign-in" },
    invite: team === undefined ? { to: paths.admin("teams") } : { to: paths.manage(team) },
  };
}

function Place({ place, children }: { place: StepPlace; children: string }) {
  if ("href" in place) {
    return (
      <Anchor href={place.href} fw={500}>
        {children}
      </Anchor>
    );
  }
  return (
    <Anchor component={PlaceLink} to={place.to} search={place.search ?? {}} fw={500}>
      {children}
    </Anchor>
  );
}
