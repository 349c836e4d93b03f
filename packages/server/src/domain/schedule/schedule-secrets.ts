import type { Keyring } from "../../base/secret/keyring.ts";
import { scheduleParametersPlace } from "../../core/secret/sealed-places.ts";

/** Seals and opens the secrets of the schedules of one team. */
export function scheduleSecrets(keyring: Keyring, teamId: string) {
  const place = scheduleParametersPlace(teamId);
  return {
    seal: (clear: string) => keyring.sealText(clear, place),
    open: (sealed: string) => keyring.openText(sealed, place),
  };
}
