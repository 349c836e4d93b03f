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

/** A person whom an identity provider has signed in. */
export interface ProvenPerson extends Identity {
  /** In normal form C and lower case. */
  email: string;
  /** The provider vouches for the address. An unverified address creates no user, and gives no access to an existing one. */
  isEmailVerified: boolean;
  name: string | undefined;
  /** The configuration names the address, and the provider says that it is verified. */
  isAdministrator: boolean;
}

export type Admission =
  | { outcome: "in"; user: { id: string; email: string; type: UserType; isNew: boolean } }
  | { outcome: "inactive"; email: string }
  /** The address belongs to a user who, according to the provider, is someone else. */
  | { outcome: "other-subject" | "unverified-address"; email: string }
  /** No account has that address, and it may not belong to this person: a user who is invited by it later would then be this person. */
  | { outcome: "unverified-new-user"; email: string };

/**
 * From the first sign-in on, issuer and subject identify a person. The address is a label that may be reassigned. So it only matches a user
 * without an identity (invited, or with a password until now), and only if the provider vouches for it. A person who signs in with the
 * address of another user is recorded with that user, for an administrator to accept.
 */
export async function admitPerson(tx: Transaction, person: ProvenPerson): Promise<Admission> {
  const known = await lockPersonByIdentity(tx, person);
  if (known !== undefined) return letIn(tx, known, person);
  const type = person.isAdministrator ? "admin" : "user";
  const made = person.isEmailVerified ? await insertPerson(tx, { ...person, name: person.name ?? person.email, type }) : undefined;
  if (made !== undefined) return letIn(tx, made, person, true);
  // A new statement: of two concurrent first sign-ins, the second sees the changes of the first.
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
