export function inMebibytes(bytes: number): string {
  const mebibytes = bytes / 1_048_576;
  return mebibytes >= 10 ? `${Math.round(mebibytes)} MiB` : `${Math.round(mebibytes * 100) / 100} MiB`;
}
