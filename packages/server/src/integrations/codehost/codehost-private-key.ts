import { createPrivateKey } from "node:crypto";

/**
 * The app's private key in the one form that its library reads (PKCS#8), from the forms in which people have it: as the platform hands it
 * out (PKCS#1) or converted, with line breaks, or on one line with spaces or with `\n` written out, in quotation marks or not. Never in
 * a message: neither the key nor a part of it.
 */
export function readCodehostKey(text: string): { key: string } | { fault: string } {
  const plain = text.replaceAll(/\\r|\\n/g, "\n");
  const found = /-----BEGIN ([A-Z ]*PRIVATE KEY)-----([^-]+)-----END \1-----/.exec(plain);
  if (!found) return { fault: "is not a private key in PEM form, from -----BEGIN to -----END" };
  const [, label = "", body = ""] = found;
  if (label.startsWith("ENCRYPTED") || /ENCRYPTED/.test(body)) return { fault: "is a key with a passphrase; use a key without one" };
  const lines = body.replaceAll(/\s+/g, "").match(/.{1,64}/g) ?? [];
  try {
    const key = createPrivateKey(`-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`);
    if (key.asymmetricKeyType !== "rsa") return { fault: "is not an RSA key; use the key that the platform created for the app" };
    return { key: key.export({ type: "pkcs8", format: "pem" }).toString() };
  } catch {
    return { fault: "is damaged: no key can be read from it" };
  }
}
