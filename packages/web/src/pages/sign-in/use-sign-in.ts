import { useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { messageOf } from "../../api/api-error.ts";
import { queryClient } from "../../api/query-client.ts";
import { insidePath } from "./inside-path.ts";

/** Sends a form that lets somebody in, and goes on to where he wanted; what the service refuses is told in its words. */
export function useSignIn() {
  const navigate = useNavigate();
  const { returnTo } = useSearch({ strict: false });
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const submit = (send: () => Promise<unknown>) => async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      await send();
      queryClient.clear();
      await navigate({ href: insidePath(returnTo), replace: true });
    } catch (refusal) {
      setError(messageOf(refusal));
    } finally {
      setBusy(false);
    }
  };
  return { submit, error, isBusy };
}
