import { Modal } from "@mantine/core";
import { api, call } from "../../api/client.ts";
import type { TokenKind } from "../../api/queries/tokens.ts";
import type { components } from "../../api/schema.generated.ts";
import { useApiMutation } from "../../hooks/use-api-mutation.ts";
import { TokenForm, type WantedToken } from "./token-form.tsx";
import { TokenOnce } from "./token-once.tsx";
import type { useTokenPlace } from "./token-place.ts";

interface CreateTokenDialogProps {
  isOpen: boolean;
  onClose: () => void;
  kind: TokenKind;
  team: string | undefined;
  place: ReturnType<typeof useTokenPlace>;
}
type Wanted = components["schemas"]["TokenCreateRequest"];

/** Asks what the token may do, then shows it the one time that it is shown. */
export function CreateTokenDialog({ isOpen, onClose, kind, team, place }: CreateTokenDialogProps) {
  const { mutate, data, error, isPending, reset, variables } = useApiMutation({
    changes: ["tokens"],
    mutationFn: (wanted: WantedToken) => {
      const body: Wanted = { type: kind, ...wanted, ...(place.principal !== undefined && { principal: place.principal }) };
      return call(api.POST("/api/v2/token", { body }));
    },
    // The token is in the answer: it must not outlive the dialog.
    gcTime: 0,
  });
  const close = () => {
    reset();
    onClose();
  };
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={data === undefined ? "Create token" : "Copy the token"}
      size="lg"
      closeOnClickOutside={data === undefined}
    >
      {data === undefined ? (
        <TokenForm
          kind={kind}
          whyNotGive={place.whyNotGive}
          isBusy={isPending}
          error={error}
          onSubmit={(wanted) => mutate(wanted)}
          onCancel={close}
        />
      ) : (
        <TokenOnce token={data.token} team={team} permissions={variables?.permissions ?? []} onDone={close} />
      )}
    </Modal>
  );
}
