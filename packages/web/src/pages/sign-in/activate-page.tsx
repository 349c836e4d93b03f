import { Anchor, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ApiError } from "../../api/api-error.ts";
import { callerQuery } from "../../api/queries/session.ts";
import { paths } from "../../paths.ts";
import { ActivateForm } from "./activate-form.tsx";
import { SignInFrame } from "./sign-in-frame.tsx";

/** The first thing that anybody sees of a new instance: who may let people in, and who is the first. */
export function ActivatePage() {
  const { data, error } = useQuery({ ...callerQuery, retry: false });
  const isOver = data !== undefined || (error instanceof ApiError && error.status === 401);
  const signIn = (
    <Anchor component={Link} to={paths.signIn()}>
      Sign in with an access token
    </Anchor>
  );
  if (isOver) {
    return (
      <SignInFrame title="This instance is active">
        <Stack gap="sm">
          <Text>It was activated before. Its administrators let others in.</Text>
          <Anchor component={Link} to={data === undefined ? paths.signIn() : paths.home()}>
            {data === undefined ? "Sign in" : "Go to the start page"}
          </Anchor>
        </Stack>
      </SignInFrame>
    );
  }
  return (
    <SignInFrame
      title="Activate Millrace"
      detail="This instance is new. You become its first administrator."
      foot={<>Without a code: {signIn} of the first start.</>}
    >
      <ActivateForm />
    </SignInFrame>
  );
}
