import { Anchor, Button, Divider, Paper, PasswordInput, Stack, Text, TextInput, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { messageOf } from "../../api/api-error.ts";
import { api, call } from "../../api/client.ts";
import { methodsQuery } from "../../api/queries/session.ts";
import { queryClient } from "../../api/query-client.ts";
import classes from "./sign-in.module.css";

/** Every way in that the service offers; the field for an access token is always there. */
export function SignInPage() {
  useDocumentTitle("Sign in · Millrace");
  const { data } = useQuery(methodsQuery);
  const { returnTo } = useSearch({ strict: false }) as { returnTo?: string };
  const oidc = data?.methods.find(({ type }) => type === "oidc");
  const hasPasswords = data?.methods.some(({ type }) => type === "password");
  return (
    <main className={classes.page}>
      <Paper withBorder p="lg" w={400} maw="100%">
        <Stack gap="md">
          <Title order={1}>Sign in to Millrace</Title>
          {oidc?.url && (
            <Button component="a" href={`${oidc.url}?returnTo=${encodeURIComponent(returnTo ?? "/home")}`}>
              Continue with your organisation
            </Button>
          )}
          {hasPasswords && <PasswordForm />}
          {(oidc || hasPasswords) && <Divider label="or" />}
          <TokenForm />
        </Stack>
      </Paper>
    </main>
  );
}

function useSignIn() {
  const navigate = useNavigate();
  const { returnTo } = useSearch({ strict: false }) as { returnTo?: string };
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const submit = (send: () => Promise<unknown>) => async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    try {
      await send();
      queryClient.clear();
      // Only ways inside: a foreign address in the query leads nowhere.
      await navigate({ to: returnTo?.startsWith("/") && !returnTo.startsWith("//") ? returnTo : "/home", replace: true });
    } catch (refusal) {
      setError(messageOf(refusal));
    } finally {
      setBusy(false);
    }
  };
  return { submit, error, isBusy };
}

function PasswordForm() {
  const { submit, error, isBusy } = useSignIn();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  return (
    <form onSubmit={(event) => void submit(() => call(api.POST("/api/v2/auth/password", { body: { email, password } })))(event)}>
      <Stack gap="sm">
        <TextInput
          label="E-mail address"
          type="email"
          autoComplete="username"
          required
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Refusal text={error} />
        <Button type="submit" loading={isBusy} variant="default">
          Sign in with password
        </Button>
      </Stack>
    </form>
  );
}

function TokenForm() {
  const { submit, error, isBusy } = useSignIn();
  const [token, setToken] = useState("");
  const send = () => call(api.POST("/api/v2/auth/token", { headers: { authorization: `Bearer ${token.trim()}` } }));
  return (
    <form onSubmit={(event) => void submit(send)(event)}>
      <Stack gap="sm">
        <PasswordInput
          label="Access token"
          description="The first start of the service writes one into its data folder: admin-token"
          autoComplete="off"
          required
          value={token}
          onChange={(event) => setToken(event.currentTarget.value)}
        />
        <Refusal text={error} />
        <Button type="submit" loading={isBusy}>
          Sign in
        </Button>
        <Text size="xs" className="quiet">
          <Anchor href="/api/docs">The API</Anchor> works with the same tokens.
        </Text>
      </Stack>
    </form>
  );
}

function Refusal({ text }: { text: string | undefined }) {
  return text === undefined ? null : (
    <Text role="alert" size="sm" c="var(--status-failed)">
      {text}
    </Text>
  );
}
