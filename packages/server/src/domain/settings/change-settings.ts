import { createPrivateKey } from "node:crypto";
import type { SettingConfigInput, SettingInput } from "@millrace/contract/settings/setting.ts";
import { AppError, type ErrorDetail } from "../../base/error/app-error.ts";
import type { Keyring } from "../../base/secret/keyring.ts";
import { settingPlace } from "../../core/secret/sealed-places.ts";
import { type CheckedSetting, checkSetting } from "../../core/settings/check-setting.ts";
import type { SettingDefinition, SettingGroup } from "../../core/settings/definition.ts";
import { type StoredSettings, settingGroups, settingPath, settingText } from "../../core/settings/instance-settings.ts";
import { destinationFaults, type WantedSetting } from "../../core/settings/secret-destinations.ts";
import { workspaceBytes } from "../../core/team/quota.ts";
import type { Queryable } from "../../store/database/database.ts";
import { lockSettings, readStoredSettings, type StoredSettingChange, writeSettings } from "../../store/settings/settings.ts";
import { refuseFaults } from "../workflow/refuse-faults.ts";

/** A setting whose value changed. Secrets are not included. */
export interface ChangedSetting {
  group: string;
  key: string;
  before: string;
  after: string;
  isSecret: boolean;
}

/** In the form that is stored, secrets in clear. */
type SettingRequest = WantedSetting;

/**
 * Changes settings, all of them or none. A group is found by id or key, a setting by key; a setting without a value stays unchanged.
 *
 * @param options mayVouch: the caller may act as anyone anyway
 * @returns what changed, and the new revision; undefined if nothing did
 * @throws VALIDATION_FAILED naming each unknown group or key and each invalid value; PERMISSION_DENIED
 */
export async function changeSettings(
  db: Queryable,
  keyring: Keyring,
  written: readonly SettingInput[],
  { mayVouch }: { mayVouch: boolean },
): Promise<{ changes: ChangedSetting[]; revision: number } | undefined> {
  const requests = readRequests(written);
  await lockSettings(db);
  const { values } = await readStoredSettings(db);
  refuseFaults([...contradictions(requests, values), ...destinationFaults(requests, values)]);
  const changed = requests.filter(
    ({ group, definition, value }) => definition.type === "secured" || settingText(values, group, definition.key) !== value,
  );
  if (changed.length === 0) return undefined;
  if (!mayVouch) refuseVouching(changed);
  const revision = await writeSettings(
    db,
    changed.map((request) => toStored(request, keyring)),
  );
  return { changes: changed.map((request) => describeChange(request, values)), revision };
}

function refuseVouching(changed: readonly SettingRequest[]): void {
  const keys = changed.filter(({ definition }) => definition.isVouching).map(({ group, definition }) => settingPath(group, definition.key));
  if (keys.length === 0) return;
  throw new AppError("PERMISSION_DENIED", [
    `${keys.join(", ")} decides which users people in the chat are, so only an administrator can change it`,
  ]);
}

function toStored({ group, definition, value }: SettingRequest, keyring: Keyring): StoredSettingChange {
  const { key, type } = definition;
  if (type === "secured") return { group, key, value: keyring.sealText(value, settingPlace(group, key)) };
  return { group, key, value: value === definition.default ? null : value };
}

function describeChange({ group, definition, value }: SettingRequest, values: StoredSettings): ChangedSetting {
  const { key, type } = definition;
  const isSecret = type === "secured";
  return { group, key, isSecret, before: isSecret ? "" : settingText(values, group, key), after: isSecret ? "" : value };
}

function readRequests(written: readonly SettingInput[]): SettingRequest[] {
  const faults: ErrorDetail[] = [];
  const requests: SettingRequest[] = [];
  const seen = new Set<string>();
  for (const [index, item] of written.entries()) {
    const group = findGroup(item);
    if (typeof group === "string") faults.push({ path: `/${index}/${item.id == null ? "key" : "id"}`, message: group });
    else if (seen.has(group.key)) faults.push({ path: `/${index}`, message: `is the group ${group.key} again; send each group once` });
    else readGroup(group, item.config ?? [], `/${index}/config`, faults, requests);
    if (typeof group !== "string") seen.add(group.key);
  }
  refuseFaults(faults);
  return requests;
}

/** The group, or what is wrong with its reference. */
function findGroup({ id, key }: SettingInput): SettingGroup | string {
  const name = id ?? key;
  const known = `it must be one of ${settingGroups.map((group) => group.key).join(", ")}`;
  if (name == null) return `is missing; ${known}`;
  const group = settingGroups.find((one) => one.key === name);
  if (group === undefined) return `is ${JSON.stringify(name)}; ${known}`;
  return key != null && key !== group.key
    ? `is ${JSON.stringify(name)}, but key is ${JSON.stringify(key)}; give the same, or one of them`
    : group;
}

function readGroup(
  group: SettingGroup,
  config: readonly SettingConfigInput[],
  path: string,
  faults: ErrorDetail[],
  requests: SettingRequest[],
): void {
  const seen = new Set<string>();
  for (const [index, { key, value }] of config.entries()) {
    const definition = group.settings.find((setting) => setting.key === key);
    const at = `${path}/${index}`;
    if (definition === undefined) faults.push({ path: `${at}/key`, message: unknownKey(group, key) });
    else if (seen.has(key)) faults.push({ path: `${at}/key`, message: `is ${key} again; send each setting once` });
    else if (!isLeftOut(definition, value)) {
      const checked = readValue(definition, value);
      if ("fault" in checked) faults.push({ path: `${at}/value`, message: `of ${group.key}/${key} ${checked.fault}` });
      else requests.push({ path: `${at}/value`, group: group.key, definition, value: checked.value });
    }
    seen.add(key);
  }
}

function unknownKey(group: SettingGroup, key: string): string {
  return `is ${JSON.stringify(key)}; group ${group.key} has ${group.settings.map((setting) => setting.key).join(", ")}`;
}

function isLeftOut({ type }: SettingDefinition, value: SettingConfigInput["value"]): boolean {
  return value === undefined || value === null || (type === "secured" && value === "");
}

function readValue(definition: SettingDefinition, value: SettingConfigInput["value"]): CheckedSetting {
  // A number may have lost digits in transit, which nobody would notice in a secret that is never shown.
  if (definition.type === "secured" && typeof value !== "string") return { fault: "must be text" };
  const checked = checkSetting(definition, String(value));
  if ("fault" in checked || definition.type !== "secured" || definition.form !== "pem") return checked;
  return isPrivateKey(checked.value) ? checked : { fault: "is not a readable private key; it must be a complete PEM without a passphrase" };
}

function isPrivateKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).type === "private";
  } catch {
    return false;
  }
}

/** Refuses a default size above the largest one, with the settings as they would be after this change. */
function contradictions(requests: readonly SettingRequest[], values: StoredSettings): ErrorDetail[] {
  return ["workflowrun", "workflow"].flatMap((group) => {
    const requestOf = (key: string) => requests.find((request) => request.group === group && request.definition.key === key);
    const [size, max] = [requestOf("storage.size"), requestOf("max.storage.size")];
    const textOf = (request: SettingRequest | undefined, key: string) => request?.value ?? settingText(values, group, key);
    const [sizeText, maxText] = [textOf(size, "storage.size"), textOf(max, "max.storage.size")];
    const path = (size ?? max)?.path;
    if (path === undefined || (workspaceBytes(sizeText) ?? 0) <= (workspaceBytes(maxText) ?? 0)) return [];
    return [{ path, message: `would make ${group}/storage.size ${sizeText}, above ${group}/max.storage.size ${maxText}` }];
  });
}
