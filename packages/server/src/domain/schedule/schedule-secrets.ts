import type { Keyring } from "../../base/secret/keyring.ts";
import { scheduleParametersPlace } from "../../core/secret/sealed-places.ts";
import { sealAgain } from "../secret/seal-again.ts";

/**
 * Encrypts and decrypts the secrets of the schedules of one team.
 * @param stored parameters whose envelopes can stay
 */
export function scheduleSecrets(keyring: Keyring, teamId: string, stored?: unknown) {
  const place = scheduleParametersPlace(teamId);
  return {
    seal: sealAgain(keyring, place, stored),
    open: (sealed: string) => keyring.openText(sealed, place),
  };
}
