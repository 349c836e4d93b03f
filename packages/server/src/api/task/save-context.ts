import type { Keyring } from "../../base/keyring.ts";
import { taskParametersPlace } from "../../core/sealed-places.ts";
import type { SaveTaskContext } from "../../domain/task/prepare-task.ts";
import type { Principal } from "../endpoint.ts";

/** @param teamId null: a global task */
export function saveTaskContext(teamId: string | null, principal: Principal, keyring: Keyring): SaveTaskContext {
  const place = taskParametersPlace(teamId);
  return { teamId, author: principal.name, seal: (clear) => keyring.sealText(clear, place) };
}
