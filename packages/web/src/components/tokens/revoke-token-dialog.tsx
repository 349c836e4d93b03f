import { api, call } from "../../api/client.ts";
import type { Token } from "../../api/queries/tokens.ts";
import { useRenew } from "../../hooks/use-renew.ts";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";

/** Asks before a token dies. @param token undefined: closed */
export function RevokeTokenDialog({ token, onClose }: { token: Token | undefined; onClose: () => void }) {
  const renew = useRenew();
  const revoke = async () => {
    if (token === undefined) return;
    await call(api.DELETE("/api/v2/token/{tokenId}", { params: { path: { tokenId: token.id } } }));
    await renew(["tokens"]);
  };
  return (
    <ConfirmDialog
      isOpen={token !== undefined}
      onClose={onClose}
      title={`Revoke ${token?.name ?? ""}`}
      action="Revoke token"
      isDangerous
      onConfirm={revoke}
    >
      Anything that uses it is rejected immediately. A revoked token can't be restored; create a new one instead.
    </ConfirmDialog>
  );
}
