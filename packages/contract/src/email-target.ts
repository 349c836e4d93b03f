/** To whom a subscription writes emails: to addresses, and to people by what they are in the team or to the run. */

/**
 * `owners`, `editors`, `readers`: members of the team with that role. `initiator`: who started the run, or the run it goes back to.
 * `approvers`: who may still vote on the action that the event is about.
 */
export const emailPeople = ["owners", "editors", "readers", "approvers", "initiator"] as const;
export type EmailPeople = (typeof emailPeople)[number];

export const maxEmailAddresses = 50;

export interface EmailTarget {
  to?: string[] | null;
  people?: EmailPeople[] | null;
}
