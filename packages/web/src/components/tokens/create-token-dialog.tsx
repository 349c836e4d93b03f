import { Button, Group, Select, SimpleGrid, Stack, Switch, Text, TextInput } from "@mantine/core";
import { type UseFormReturnType, useForm } from "@mantine/form";
import type { components } from "@millrace/client/schema.generated.ts";
import { api, call } from "../../api/client.ts";
import type { TokenKind } from "../../api/queries/identity/tokens.ts";
import { useApiMutation } from "../../hooks/use-renew.ts";
import { t } from "../../texts/identity/tokens.ts";
import { CopyField } from "../../ui/copy-field.tsx";
import { FormDialog } from "../../ui/dialog/form-dialog.tsx";
import { Notice } from "../../ui/state/notice.tsx";
import { PermissionPicker } from "./permission-picker.tsx";
import { presetOf, toWildcards } from "./token-permissions.ts";
import type { useTokenPlace } from "./token-place.ts";

/** The lifetimes that the form offers. */
const expiries = [
  { value: "7", label: t("createTokenDialog.n7Days") },
  { value: "30", label: t("createTokenDialog.n30Days") },
  { value: "90", label: t("createTokenDialog.n90Days") },
  { value: "365", label: t("createTokenDialog.year") },
  { value: "date", label: t("createTokenDialog.customDate") },
  { value: "never", label: t("createTokenDialog.noExpiry") },
];
const dayMs = 86_400_000;

interface TokenValues {
  name: string;
  description: string;
  expiry: string;
  /** The last day on which the token is valid, if the expiry is a date. */
  day: string;
  isNarrowed: boolean;
  permissions: readonly string[];
  /** The typed names of external tasks. */
  tasks: string;
}

interface CreateTokenDialogProps {
  onClose: () => void;
  kind: TokenKind;
  team: string | undefined;
  place: ReturnType<typeof useTokenPlace>;
}

/**
 * Asks for the name, the permissions and the lifetime of a token, then shows the token, once. A token that acts as a user has all of the
 * user's permissions unless it is narrowed.
 */
export function CreateTokenDialog({ onClose, kind, team, place }: CreateTokenDialogProps) {
  const form = useForm<TokenValues>({
    initialValues: {
      name: "",
      description: "",
      expiry: "90",
      day: "",
      isNarrowed: kind !== "user",
      tasks: "",
      permissions: [...presetOf(t("createTokenDialog.runWorkflows"), (permission) => place.whyNotGive(permission) === undefined)],
    },
    validate: {
      permissions: (chosen, { isNarrowed }) => isNarrowed && chosen.length === 0 && t("createTokenDialog.selectLeastPermission"),
    },
  });
  const create = useApiMutation({
    changes: ["tokens"],
    mutationFn: (values: TokenValues) => call(api.POST("/api/v2/token", { body: requestOf(values, kind, place.principal) })),
    // The response contains the token, which must not be kept after the dialog closes.
    gcTime: 0,
  });
  return (
    <FormDialog
      title={create.data === undefined ? t("createTokenDialog.createToken") : t("createTokenDialog.copyToken")}
      size="lg"
      form={form}
      action={t("createTokenDialog.createToken")}
      places={{ "/expirationDate": "expiry" }}
      onSubmit={create.mutateAsync}
      onClose={onClose}
      staysOpen
      result={
        create.data && (
          <TokenOnce
            token={create.data.token}
            team={team}
            permissions={form.values.isNarrowed ? form.values.permissions : []}
            onDone={onClose}
          />
        )
      }
    >
      <WordFields form={form} />
      {kind === "user" && (
        <Switch
          label={t("createTokenDialog.limitPermissions")}
          description={
            form.values.isNarrowed
              ? t("createTokenDialog.limitPermissionsHelp")
              : t("createTokenDialog.limitPermissionsHelpEverythingUserAllowedDo")
          }
          {...form.getInputProps("isNarrowed", { type: "checkbox" })}
        />
      )}
      {form.values.isNarrowed && (
        <PermissionPicker
          chosen={new Set(form.values.permissions)}
          onChange={(chosen) => form.setFieldValue("permissions", [...chosen])}
          whyNot={place.whyNotGive}
          error={form.errors["permissions"]}
        />
      )}
      {mayClaim(form.values) && (
        <TextInput
          label={t("createTokenDialog.externalTasks")}
          description={t("createTokenDialog.externalTasksHelp")}
          {...form.getInputProps("tasks")}
        />
      )}
    </FormDialog>
  );
}

/** Claiming external tasks also requires their names. */
function mayClaim({ isNarrowed, permissions }: TokenValues): boolean {
  return isNarrowed && permissions.includes("externaltask/action");
}

function requestOf(values: TokenValues, type: TokenKind, principal: string | undefined): components["schemas"]["TokenCreateRequest"] {
  const { name, description, expiry, day, isNarrowed, permissions } = values;
  const tasks = mayClaim(values) ? values.tasks.split(/[\s,]+/).filter((task) => task !== "") : [];
  return {
    type,
    ...(tasks.length > 0 && { tasks }),
    name: name.trim(),
    description: description.trim() || null,
    expirationDate: expiryDate(expiry, day),
    permissions: isNarrowed ? toWildcards(new Set(permissions)) : [],
    ...(principal !== undefined && { principal }),
  };
}

/** ISO 8601, or null for no expiry. @param day e.g. `2026-03-01` in the viewer's time zone: the token is valid until the end of that day */
function expiryDate(choice: string, day: string): string | null {
  if (choice === "never") return null;
  if (choice !== "date") return new Date(Date.now() + Number(choice) * dayMs).toISOString();
  return new Date(`${day}T23:59:59`).toISOString();
}

/** The name of the token and its lifetime. */
function WordFields({ form }: { form: UseFormReturnType<TokenValues> }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <TextInput
        label={t("createTokenDialog.name")}
        placeholder={t("createTokenDialog.namePlaceholder")}
        required
        maxLength={200}
        data-autofocus
        {...form.getInputProps("name")}
      />
      <TextInput label={t("createTokenDialog.description")} maxLength={2000} {...form.getInputProps("description")} />
      <Select label={t("createTokenDialog.expires")} data={expiries} allowDeselect={false} {...form.getInputProps("expiry")} />
      {form.values.expiry === "date" && (
        <TextInput label={t("createTokenDialog.lastDay")} type="date" required {...form.getInputProps("day")} />
      )}
    </SimpleGrid>
  );
}

interface TokenOnceProps {
  token: string;
  team: string | undefined;
  permissions: readonly string[];
  onDone: () => void;
}

/** A token, which is shown only once, with a command to try it. */
function TokenOnce({ token, team, permissions, onDone }: TokenOnceProps) {
  return (
    <Stack gap="sm">
      <Notice title={t("createTokenDialog.shownOnlyOnce")}>{t("createTokenDialog.millraceKeepsOnlyHash")}</Notice>
      <CopyField value={token} label={t("createTokenDialog.token")} />
      <Text size="sm">{t("createTokenDialog.try")}</Text>
      <CopyField value={exampleCommand(window.location.origin, team, permissions)} label={t("createTokenDialog.command")} />
      <Group justify="flex-end">
        <Button onClick={onDone}>{t("createTokenDialog.done")}</Button>
      </Group>
    </Stack>
  );
}

/** A typical request for such a token. The token itself isn't included, because commands are kept in shell histories. */
function exampleCommand(origin: string, team: string | undefined, permissions: readonly string[]): string {
  const head = `read -rs MILLRACE_TOKEN   # paste the token\ncurl -H "Authorization: Bearer $MILLRACE_TOKEN"`;
  if (team !== undefined && permissions.includes("workflow/read"))
    return `${head} \\\n  "${origin}/api/v2/team/${encodeURIComponent(team)}/workflow/query?limit=10&page=0"`;
  return `${head} \\\n  ${origin}/api/v2/auth/caller`;
}
