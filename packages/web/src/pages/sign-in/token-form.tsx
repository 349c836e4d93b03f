import { Button, PasswordInput, Stack } from "@mantine/core";
import { useState } from "react";
import { api, call } from "../../api/client.ts";
import { t } from "../../texts/sign-in.ts";
import { FirstStartFile } from "./first-start-file.tsx";
import { Refusal } from "./refusal.tsx";
import { useSignIn } from "./use-sign-in.ts";

/** Always there: with a token that the service or a person has made. @param isMain nothing better is offered */
export function TokenForm({ isMain }: { isMain: boolean }) {
  const { submit, error, isBusy } = useSignIn();
  const [token, setToken] = useState("");
  const send = () => call(api.POST("/api/v2/auth/token", { headers: { authorization: `Bearer ${token.trim()}` } }));
  return (
    <form onSubmit={(event) => void submit(send)(event)}>
      <Stack gap="sm">
        <PasswordInput
          label={t("tokenForm.accessToken")}
          description={<FirstStartFile name="admin-token" />}
          autoComplete="off"
          required
          withAsterisk={false}
          value={token}
          onChange={(event) => setToken(event.currentTarget.value)}
        />
        <Refusal text={error} />
        <Button type="submit" loading={isBusy} variant={isMain ? "filled" : "default"}>
          {t("tokenForm.sign")}
        </Button>
      </Stack>
    </form>
  );
}
