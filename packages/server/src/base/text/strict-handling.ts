/** Does the caller want to be refused rather than helped along? `Prefer: handling=strict` (RFC 7240). */
export function isStrict(prefer: string | undefined): boolean {
  return /(?:^|[,;\s])handling\s*=\s*"?strict"?(?:$|[,;\s])/i.test(prefer ?? "");
}
