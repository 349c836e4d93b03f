import { Autocomplete, Select, TextInput } from "@mantine/core";
import { t } from "../../../texts/triggers.ts";
import { codehostEvents, type SampleTarget } from "../trials/codehost-sample.ts";
import classes from "../trials/trials.module.css";

interface CodehostFieldsProps {
  wish: SampleTarget;
  repositories: readonly string[];
  onChange: (part: Partial<SampleTarget>) => void;
}

/** What the event is about; each change writes the payload anew. */
export function CodehostFields({ wish, repositories, onChange }: CodehostFieldsProps) {
  const { actions, refKinds } = codehostEvents[wish.event] ?? { actions: [], refKinds: [] };
  return (
    <div className={classes.fields}>
      <Autocomplete
        label={t("codehostFields.event")}
        size="xs"
        data={Object.keys(codehostEvents)}
        value={wish.event}
        onChange={(event) => onChange({ event })}
      />
      {actions.length > 0 && (
        <Select
          label={t("codehostFields.action")}
          size="xs"
          data={[...actions]}
          value={wish.action}
          allowDeselect={false}
          onChange={(action) => action && onChange({ action })}
        />
      )}
      <Autocomplete
        label={t("codehostFields.repository")}
        size="xs"
        data={[...repositories]}
        value={wish.repository}
        onChange={(repository) => onChange({ repository })}
      />
      {refKinds.length > 1 && (
        <Select
          label={t("codehostFields.resource")}
          size="xs"
          data={[...refKinds]}
          value={wish.refKind}
          allowDeselect={false}
          onChange={(refKind) => refKind && onChange({ refKind: refKind as SampleTarget["refKind"] })}
        />
      )}
      {refKinds.length > 0 && (
        <TextInput
          label={wish.refKind === "tag" ? t("codehostFields.tag") : t("codehostFields.branch")}
          size="xs"
          value={wish.ref}
          onChange={(event) => onChange({ ref: event.currentTarget.value })}
        />
      )}
    </div>
  );
}
