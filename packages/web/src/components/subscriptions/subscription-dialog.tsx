import { Button, Group, SegmentedControl, Stack, Text, TextInput } from "@mantine/core";
import { type UseFormReturnType, useForm } from "@mantine/form";
import {
  changeSubscription,
  createSubscription,
  type EventFilter,
  type Subscription,
  type SubscriptionInput,
} from "../../api/queries/integrations.ts";
import { useApiMutation } from "../../hooks/use-renew.ts";
import { t } from "../../texts/integrations.ts";
import { CopyField } from "../../ui/copy-field.tsx";
import { FormDialog } from "../../ui/dialog/form-dialog.tsx";
import { FormRefusal } from "../../ui/form/use-submission.tsx";
import { Notice } from "../../ui/state/notice.tsx";
import { EventFilterEditor } from "../event-filters/event-filter-editor.tsx";
import { fromFilters, toFilters } from "./event-choice.ts";
import { EventPicker } from "./event-picker.tsx";
import { channelWords, type SubscriptionValues, toDraft, toTarget } from "./subscription-target.ts";
import { MovedSecret, TargetFields } from "./target-fields.tsx";

interface SubscriptionDialogProps {
  team: string | undefined;
  /** Undefined: a new subscription. */
  known: Subscription | undefined;
  onClose: () => void;
  /** Called with its name after it was created and its secret was confirmed, or after it was renamed. */
  onMade: (name: string) => void;
}

/** The attributes that the service's events have (docs/outbound-events.md). */
const filteredAttributes = ["type", "subject", "team", "workflow", "initiatorcontext", "source"];
const channels = Object.entries(channelWords).map(([value, label]) => ({ value, label }));

/** Creates a subscription, and shows the secret of a webhook, which is shown only once; or edits a subscription. */
export function SubscriptionDialog({ team, known, onClose, onMade }: SubscriptionDialogProps) {
  const form = useForm<SubscriptionValues>({
    initialValues: valuesOf(known),
    validate: { filters: (text, { isText }) => (isText && !isJson(text) ? t("subscriptionDialog.filtersNotValidJson") : null) },
  });
  const { name, target, secret } = form.values;
  const isMoved = known?.channel === "webhook" && target.url.trim() !== toDraft(known.target).url;
  const finish = (finished: string) => {
    onClose();
    onMade(finished);
  };
  const save = useApiMutation({
    changes: ["subscriptions"],
    mutationFn: (wanted: SubscriptionInput) => {
      if (known === undefined) return createSubscription(team, wanted);
      const { channel: _, ...change } = wanted;
      return changeSubscription(team, known.id, change);
    },
    onSuccess: (saved) => {
      if (known !== undefined || !saved.secret) finish(saved.name);
    },
    // The response contains the secret, which must not be kept after the dialog closes.
    gcTime: 0,
  });
  const once = known === undefined ? save.data?.secret : undefined;
  return (
    <FormDialog
      title={
        once
          ? t("subscriptionDialog.copySecret")
          : known
            ? t("subscriptionDialog.edit", { name: known.name })
            : t("subscriptionDialog.createSubscription")
      }
      size="lg"
      form={form}
      action={known ? t("subscriptionDialog.saveSubscription") : t("subscriptionDialog.createSubscription")}
      onSubmit={(values) => save.mutateAsync({ ...wantedOf(values), ...(isMoved && { secret: secret.trim() }) })}
      onClose={() => (once ? finish(name.trim()) : onClose())}
      staysOpen
      result={once && <SecretOnce secret={once} onDone={() => finish(name.trim())} />}
    >
      <TextInput label={t("subscriptionDialog.name")} required maxLength={100} data-autofocus {...form.getInputProps("name")} />
      {known === undefined && (
        <SegmentedControl aria-label={t("subscriptionDialog.channel")} size="xs" data={channels} {...form.getInputProps("channel")} />
      )}
      <TargetFields team={team} form={form} />
      {isMoved && <MovedSecret form={form} />}
      <FilterFields form={form} />
    </FormDialog>
  );
}

function FilterFields({ form }: { form: UseFormReturnType<SubscriptionValues> }) {
  const { isText, filters, choice } = form.values;
  const refused = form.errors["filters"];
  return (
    <>
      {isText ? (
        <EventFilterEditor
          label={t("subscriptionDialog.filtersSubscription")}
          text={filters}
          attributes={filteredAttributes}
          problems={[]}
          onChange={(text) => form.setFieldValue("filters", text)}
        />
      ) : (
        <Stack gap="xs" align="stretch">
          <EventPicker choice={choice} onChange={(next) => form.setFieldValue("choice", next)} />
          <Group>
            <Button
              size="compact-xs"
              variant="subtle"
              onClick={() => form.setValues({ isText: true, filters: JSON.stringify(toFilters(choice), null, 2) })}
            >
              {t("subscriptionDialog.useFiltersInstead")}
            </Button>
          </Group>
        </Stack>
      )}
      <FormRefusal message={typeof refused === "string" ? refused : undefined} />
    </>
  );
}

function valuesOf(known: Subscription | undefined): SubscriptionValues {
  const choice = fromFilters(known?.filters ?? []);
  return {
    name: known?.name ?? "",
    channel: known?.channel ?? "webhook",
    target: toDraft(known?.target),
    choice: choice ?? { events: [], workflows: [] },
    isText: choice === undefined,
    filters: JSON.stringify(known?.filters ?? [], null, 2),
    secret: "",
  };
}

function wantedOf({ name, channel, target, choice, isText, filters }: SubscriptionValues): SubscriptionInput {
  return {
    name: name.trim(),
    channel,
    target: toTarget(channel, target),
    filters: isText ? (JSON.parse(filters.trim() || "[]") as EventFilter[]) : toFilters(choice),
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text.trim() || "[]");
    return true;
  } catch {
    return false;
  }
}

/** The secret that signs the webhooks. It is shown only once. */
export function SecretOnce({ secret, oldUntil, onDone }: { secret: string; oldUntil?: string | undefined; onDone: () => void }) {
  return (
    <Stack gap="sm">
      <Notice title={t("secretOnce.shownOnlyOnce")}>{t("secretOnce.receiverUsesVerifyWebhook")}</Notice>
      <CopyField value={secret} label={t("secretOnce.secret")} />
      {oldUntil && <Text size="sm">{t("secretOnce.n24HoursEachWebhook")}</Text>}
      <Group justify="flex-end">
        <Button onClick={onDone}>{t("secretOnce.done")}</Button>
      </Group>
    </Stack>
  );
}
