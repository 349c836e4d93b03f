import type { Queryable } from "../database/database.ts";

/** A running process of the service, and the encryption keys that it has. */
export interface KeyHolder {
  processId: string;
  hostName: string;
  /** The first one encrypts. */
  keyIds: string[];
}

/** A process without a report for so long counts as dead. It reports every quarter of that time. */
export const holderSeconds = 60;

export async function noteKeyHolder(db: Queryable, { processId, hostName, keyIds }: KeyHolder): Promise<void> {
  await db`
    insert into key_holder (process_id, host_name, key_ids, seen_at)
    values (${processId}, ${hostName}, ${[...keyIds]}, (select db_now()))
    on conflict (process_id) do update set key_ids = excluded.key_ids, seen_at = excluded.seen_at`;
}

export async function deleteKeyHolder(db: Queryable, processId: string): Promise<void> {
  await db`delete from key_holder where process_id = ${processId}`;
}

export async function listKeyHolders(db: Queryable): Promise<KeyHolder[]> {
  return db<KeyHolder[]>`
    select process_id as "processId", host_name as "hostName", key_ids as "keyIds" from key_holder
    where seen_at > (select db_now()) - make_interval(secs => ${holderSeconds}) order by host_name, process_id`;
}

export async function deleteLostKeyHolders(db: Queryable): Promise<void> {
  await db`delete from key_holder where seen_at < (select db_now()) - interval '1 hour'`;
}
