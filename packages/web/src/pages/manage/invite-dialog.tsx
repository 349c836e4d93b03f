import { Alert, Button, Checkbox, Group, Radio, Stack, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "../../api/api-error.ts";
import { api, call } from "../../api/client.ts";
import { type InvitationRules, invitationRulesQuery, type NewInvitation } from "../../api/queries/identity/invitations.ts";
import { rolesQuery } from "../../api/queries/identity/session.ts";
import { roleWord } from "../../components/role-word.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { useRenew } from "../../hooks/use-renew.ts";
import { outcomeOf } from "../../texts/language.ts";
import { t } from "../../texts/team.ts";
import { CopyField } from "../../ui/copy-field.tsx";
import { FormDialog } from "../../ui/dialog/form-dialog.tsx";
import { AddressesInput } from "../../ui/form/addresses-input.tsx";

type Role = "owner" | "editor" | "reader";
type Outcome = { email: string } & ({ invitation: NewInvitation } | { refusal: string });

/** Invites several people by email address, then shows the links: they can't be shown again later. */
export function InviteDialog({ team, onClose }: { team: string; onClose: () => void }) {
  const rights = useRights(team);
  const renew = useRenew();
  const { data: rules } = useQuery(invitationRulesQuery(team));
  const { data: roles = [] } = useQuery(rolesQuery);
  // The address that is not ended yet: leaving the field, as a press of the button does, adds it to the others.
  const [typed, setTyped] = useState("");
  const [outcomes, setOutcomes] = useState<Outcome[]>();
  const form = useForm({ initialValues: { addresses: [] as string[], role: "editor" as Role, mail: true } });
  const invite = async ({ addresses, role, mail }: typeof form.values) => {
    const sent = await inviteAll(team, addresses, { role, ...(rules?.sendsMail && { mail }) });
    await renew(["team"], team);
    setOutcomes(sent);
  };
  return (
    <FormDialog
      title={t("inviteDialog.invitePeople")}
      form={form}
      action={t("inviteDialog.invite")}
      whyNot={form.values.addresses.length === 0 && typed.trim() === "" ? t("inviteDialog.enterEmailAddressFirst") : undefined}
      places={{ "/email": "addresses" }}
      onSubmit={invite}
      onClose={onClose}
      staysOpen
      result={outcomes && <Outcomes outcomes={outcomes} onClose={onClose} />}
    >
      {rules?.endsUnsandboxed && <EndsUnsandboxed />}
      <AddressesInput
        label={t("inviteDialog.emailAddresses")}
        description={addressesHelp(rules)}
        data-autofocus
        searchValue={typed}
        onSearchChange={setTyped}
        {...form.getInputProps("addresses")}
      />
      <Radio.Group label={t("inviteDialog.role")} {...form.getInputProps("role")}>
        <Stack gap="xs" mt={4}>
          {roles.map(({ name, description, permissions }) => (
            <Radio
              key={name}
              value={name}
              label={roleWord(name)}
              description={
                permissions.every((one) => rights.may(one))
                  ? outcomeOf(description)
                  : t("inviteDialog.onlyOwnersGrant", { description: outcomeOf(description) })
              }
              disabled={!permissions.every((one) => rights.may(one))}
            />
          ))}
        </Stack>
      </Radio.Group>
      {rules?.sendsMail && (
        <Checkbox
          label={t("inviteDialog.sendMail")}
          description={t("inviteDialog.sendMailHelp")}
          {...form.getInputProps("mail", { type: "checkbox" })}
        />
      )}
    </FormDialog>
  );
}

/** Sends the invitations one after the other. @throws the first error if nobody was invited, so that the form stays open */
async function inviteAll(team: string, addresses: readonly string[], how: { role: Role; mail?: boolean }): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  let first: unknown;
  for (const email of addresses) {
    try {
      const body = { email, ...how };
      const invitation = await call(api.POST("/api/v2/team/{team}/invitation", { params: { path: { team } }, body }));
      outcomes.push({ email: invitation.email, invitation });
    } catch (error) {
      first ??= error;
      outcomes.push({ email, refusal: messageOf(error) });
    }
  }
  if (first !== undefined && !outcomes.some((one) => "invitation" in one)) throw first;
  return outcomes;
}

function addressesHelp(rules: InvitationRules | undefined): string {
  if (rules === undefined || rules.domains.length === 0) return t("inviteDialog.emailAddressesHelp");
  return t("inviteDialog.emailAddressesOfDomains", { domains: rules.domains.join(", ") });
}

/** Warns that steps no longer run without a sandbox: until now the team had only one person, whose scripts were trusted. */
function EndsUnsandboxed() {
  return (
    <Alert color="yellow" variant="outline" title={t("inviteDialog.endsUnsandboxedTitle")}>
      {t.rich("inviteDialog.endsUnsandboxed", { link: (words) => <a href="/docs/sandbox">{words}</a> })}
    </Alert>
  );
}

function Outcomes({ outcomes, onClose }: { outcomes: readonly Outcome[]; onClose: () => void }) {
  return (
    <Stack gap="md">
      <Text size="sm">{t("invitationLink.note")}</Text>
      {outcomes.map((outcome) => (
        <section key={outcome.email} aria-label={outcome.email}>
          <Text size="sm" fw={500}>
            {outcome.email}
          </Text>
          {"invitation" in outcome ? (
            <InvitationLink invitation={outcome.invitation} />
          ) : (
            <Text size="sm" role="alert" c="var(--status-failed)">
              {outcome.refusal}
            </Text>
          )}
        </section>
      ))}
      <Group justify="flex-end">
        <Button onClick={onClose}>{t("invitationLink.done")}</Button>
      </Group>
    </Stack>
  );
}

/** If an email was sent, the link is shown only on request. */
export function InvitationLink({ invitation: { email, link, mail } }: { invitation: NewInvitation }) {
  const [isShown, setShown] = useState(mail === undefined);
  return (
    <Stack gap={4}>
      {mail && (
        <Text size="sm" className="quiet">
          {t("invitationLink.mailIsSent")}
        </Text>
      )}
      {isShown ? (
        <CopyField value={link} label={t("invitationLink.link", { email })} />
      ) : (
        <div>
          <Button size="compact-sm" variant="default" onClick={() => setShown(true)}>
            {t("invitationLink.showLink")}
          </Button>
        </div>
      )}
    </Stack>
  );
}
