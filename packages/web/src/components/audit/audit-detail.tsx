import { Button, Drawer, Group, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type AuditEntry, auditEntryQuery } from "../../api/queries/settings.ts";
import { t } from "../../texts/audit.ts";
import { TextDiff } from "../../ui/code/code-editor.tsx";
import { QueryView } from "../../ui/state/not-loaded.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";
import { tokenWord } from "../tokens/token-word.ts";
import classes from "./audit.module.css";
import type { AuditState } from "./audit-filter.ts";
import { auditState, auditVerb, kindWords, permissionWords } from "./audit-words.ts";

interface AuditDetailProps {
  team: string | undefined;
  /** Empty: the panel is closed. */
  id: string;
  onClose: () => void;
  onNarrow: (state: Partial<AuditState>) => void;
}

/** One audit record: who, by which means, and the state before and after. */
export function AuditDetail({ team, id, onClose, onNarrow }: AuditDetailProps) {
  const query = useQuery({ ...auditEntryQuery(team, id), enabled: id !== "" });
  return (
    <Drawer opened={id !== ""} onClose={onClose} position="right" size="lg" title={t("auditDetail.auditRecord")}>
      <QueryView query={query} label={t("auditDetail.loadingAuditRecord")}>
        {(entry) => <Detail entry={entry} onNarrow={onNarrow} />}
      </QueryView>
    </Drawer>
  );
}

function Detail({ entry, onNarrow }: { entry: AuditEntry; onNarrow: AuditDetailProps["onNarrow"] }) {
  const { actor, object, before, after } = entry;
  const kind = kindWords[object.kind] ?? object.kind;
  return (
    <Stack gap="md">
      <Text size="sm">
        {t.rich("auditDetail.sentence", {
          verb: auditVerb(entry),
          kind,
          actor: () => <Actor actor={actor} />,
          name: () => <strong>{object.name ?? object.id}</strong>,
        })}
      </Text>
      <Facts entry={entry} />
      <Group gap="xs">
        <Button size="compact-xs" variant="default" onClick={() => onNarrow({ actor: actor.principal })}>
          {t("auditDetail.all", { name: actor.name ?? actor.principal })}
        </Button>
        <Button size="compact-xs" variant="default" onClick={() => onNarrow({ kind: object.kind, object: object.id ?? object.name ?? "" })}>
          {t("auditDetail.allAbout", { kind })}
        </Button>
        {entry.requestId !== null && (
          <Button size="compact-xs" variant="default" onClick={() => onNarrow({ request: entry.requestId ?? "" })}>
            {t("auditDetail.allRequest")}
          </Button>
        )}
      </Group>
      <Title order={3}>{t("auditDetail.changes")}</Title>
      {before === null && after === null ? (
        <Text size="sm" className="quiet">
          {t("auditDetail.noBeforeAfterState")}
        </Text>
      ) : (
        <TextDiff label={t("auditDetail.stateBeforeAfter")} before={auditState(before)} after={auditState(after)} language="json" />
      )}
    </Stack>
  );
}

function Facts({ entry }: { entry: AuditEntry }) {
  const facts: [string, string | null | undefined][] = [
    [t("auditDetail.principal"), entry.actor.principal],
    [t("auditDetail.tokenUsed"), entry.actor.tokenRef],
    [t("auditDetail.permission"), wordsAndIdentifier(entry.action)],
    [t("auditDetail.resource"), entry.object.id ?? entry.object.name],
    [t("auditDetail.team"), entry.team?.name ?? entry.team?.id],
    [t("auditDetail.request"), entry.requestId],
  ];
  return (
    <dl className={classes.facts}>
      <dt>{t("auditDetail.when")}</dt>
      <dd>
        <TimeText at={entry.date} isExact />
      </dd>
      {facts.map(([name, value]) => value && <Fact key={name} name={name} value={value} />)}
    </dl>
  );
}

function wordsAndIdentifier(permission: string): string {
  const words = permissionWords(permission);
  return words === permission ? permission : `${words} (${permission})`;
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className="code">{value}</dd>
    </>
  );
}

/** A person, or a token that acts as itself; for a token its kind is shown. */
export function Actor({ actor }: { actor: AuditEntry["actor"] }) {
  const isPerson = actor.type === "user" || actor.type === "session";
  return (
    <Text size="sm" span>
      {actor.name ?? actor.principal}
      {!isPerson && <span className="quiet"> ({actor.type === "integration" ? t("auditDetail.integration") : tokenWord(actor.type)})</span>}
    </Text>
  );
}
