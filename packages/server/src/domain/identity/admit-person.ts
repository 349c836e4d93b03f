import type { UserType } from "@millrace/contract/identity/user.ts";
import type { Transaction } from "../../store/database/database.ts";
import {
  bindIdentity,
  type Identity,
  insertPerson,
  type KnownPerson,
  lockPersonByEmail,
  lockPersonByIdentity,
  requestIdentity,
  updatePersonEmail,
} from "../../store/identity/identities.ts";
import { letPersonIn } from "../../store/identity/sign-ins.ts";

/** Someone whom an identity provider has signed in. */
export interface ProvenPerson extends Identity {
  /** Composed and in lower case. */
  email: string;
  /** The provider vouches for it; without that an address makes no user and opens nothing that is there already. */
  isEmailVerified: boolean;
  name: string | undefined;
  /** The configuration names the address, which the provider says is verified. */
  isAdministrator: boolean;
}

export type Admission =
  | { outcome: "in"; user: { id: string; email: string; type: UserType; isNew: boolean } }
  | { outcome: "inactive"; email: string }
  /** The address is that of a user who is someone else, as far as the provider says. */
  | { outcome: "other-subject" | "unverified-address"; email: string }
  /** No account has that address, and it may not be this person's: a user invited by it later would be this person. */
  | { outcome: "unverified-new-user"; email: string };

/**
 * Issuer and subject identify a person from the first sign-in on. The address is a label that may be given to someone else. So it
 * finds only a user who is not bound yet (invited, or with a password until now), and only if the provider vouches for it.
 * A person who signs in with the address of another user is noted beside that user, for an administrator to accept.
 */
export async function admitPerson(tx: Transaction, person: ProvenPerson): Promise<Admission> {
  const known = await lockPersonByIdentity(tx, person);
  if (known !== undefined) return letIn(tx, known, person);
  const type = person.isAdministrator ? "admin" : "user";
  const made = person.isEmailVerified ? await insertPerson(tx, { ...person, name: person.name ?? person.email, type }) : undefined;
  if (made !== undefined) return letIn(tx, made, person, true);
  // A new statement: of two first sign-ins at once, the second sees what the first did.
  const owner = (await lockPersonByIdentity(tx, person)) ?? (await lockPersonByEmail(tx, person.email));
  if (owner === undefined && !person.isEmailVerified) return { outcome: "unverified-new-user", email: person.email };
  if (owner === undefined) throw new Error("the user was deleted during the sign-in; try again");
  if (owner.issuer === person.issuer && owner.subject === person.subject) return letIn(tx, owner, person);
  if (owner.status !== "active" && !owner.isInvited) return { outcome: "inactive", email: owner.email };
  const blocker = owner.issuer !== null ? "other-subject" : person.isEmailVerified ? undefined : "unverified-address";
  if (blocker !== undefined) {
    await requestIdentity(tx, owner.id, person);
    return { outcome: blocker, email: owner.email };
  }
  await bindIdentity(tx, owner.id, person);
  return letIn(tx, owner, person);
}

async function letIn(tx: Transaction, user: KnownPerson, person: ProvenPerson, isNew = false): Promise<Admission> {
  if (user.status !== "active" && !user.isInvited) return { outcome: "inactive", email: user.email };
  if (person.isEmailVerified && person.email !== user.email) await updatePersonEmail(tx, user.id, person.email);
  const { id, email, type } = await letPersonIn(tx, user.id, { name: person.name, isAdministrator: person.isAdministrator });
  return { outcome: "in", user: { id, email, type, isNew } };
}
