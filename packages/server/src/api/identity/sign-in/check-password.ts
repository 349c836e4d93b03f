import { hashPassword, isPassword } from "../../../base/secret/password-hash.ts";

let decoy: Promise<string> | undefined;

/** As long for an account without a password, or for none at all, as for a wrong password: who asks learns nothing from the clock. */
export async function checkPassword(password: string, storedHash: string | null | undefined): Promise<boolean> {
  decoy ??= hashPassword("the password of nobody");
  const isRight = await isPassword(password, storedHash ?? (await decoy));
  return isRight && storedHash != null;
}
