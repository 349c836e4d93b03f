import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";

/** The parameters of scrypt. */
export interface PasswordCost {
  N: number;
  r: number;
  p: number;
}

/** Cost of one hash: about 50 ms and 32 MiB (OWASP's second choice of parameters for scrypt). */
export const passwordCost: PasswordCost = { N: 2 ** 15, r: 8, p: 3 };
const keyLength = 32;

/** `scrypt$N$r$p$salt$key`, salt and key in base64: the parameters are stored so that they can be raised later. */
export async function hashPassword(password: string, cost = passwordCost): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, cost);
  return ["scrypt", cost.N, cost.r, cost.p, salt.toString("base64"), key.toString("base64")].join("$");
}

/** True if the password is the hashed one. Takes equally long in both cases. */
export async function isPassword(password: string, stored: string): Promise<boolean> {
  const [kind, N, r, p, salt, key] = stored.split("$");
  if (kind !== "scrypt" || salt === undefined || key === undefined) throw new Error(`unknown kind of password hash ${kind}`);
  const wanted = Buffer.from(key, "base64");
  return timingSafeEqual(await derive(password, Buffer.from(salt, "base64"), { N: Number(N), r: Number(r), p: Number(p) }), wanted);
}

function derive(password: string, salt: Buffer, { N, r, p }: PasswordCost): Promise<Buffer> {
  const options: ScryptOptions = { N, r, p, maxmem: 256 * N * r };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize("NFKC"), salt, keyLength, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}
