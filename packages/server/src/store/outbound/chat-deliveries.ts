import type { Queryable } from "../database/database.ts";

/**
 * What deliveries to the chat need to know. A subscription belongs to a team or to the instance, and is given by its id; earlier messages
 * are searched among its own deliveries only.
 */

/** A subscription of the instance may post in every workspace, a team's in those that are linked to the team. */
export async function isChatWorkspaceOpenTo(db: Queryable, subscriptionId: string, workspaceId: string): Promise<boolean> {
  const [row] = await db<{ isOpen: boolean }[]>`
    select s.team_id is null or exists (
      select from team_chat_workspace l where l.team_id = s.team_id and l.workspace_id = ${workspaceId}) as "isOpen"
    from subscription s where s.id = ${subscriptionId}`;
  return row?.isOpen ?? false;
}

/**
 * The answers of the delivery's earlier attempts, and of those that the subscription has had before about the same action. Ids are
 * made in the order of time, so only what is younger than the action is examined (index delivery_subscription).
 * @param actionId id of the delivery itself, where there is no action
 */
export async function listChatAnswers(
  db: Queryable,
  { subscriptionId, deliveryId, actionId }: { subscriptionId: string; deliveryId: string; actionId: string },
): Promise<{ id: string; answer: string | null }[]> {
  return db<{ id: string; answer: string | null }[]>`
    select d.id, d.last_answer as answer from delivery d join change_event e on e.id = d.event_id
    where d.subscription_id = ${subscriptionId} and d.id >= ${actionId} and (d.id = ${deliveryId} or (e.object_id = ${actionId} and d.status = 'delivered'))
    order by d.id limit 50`;
}
