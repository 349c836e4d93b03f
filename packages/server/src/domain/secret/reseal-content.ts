import { envelopeKeyId, readEnvelopeText } from "../../base/secret/envelope.ts";
import type { Keyring } from "../../base/secret/keyring.ts";
import { type SealedColumn, sealedTexts } from "../../core/secret/sealed-columns.ts";
import type { SealedRow } from "../../store/secret/sealed-rows.ts";

/**
 * The content of a column with what one key has sealed in it sealed by the first key instead. Everything else stays to the letter:
 * documents are changed as text, since to parse and write them again could change numbers and the order of members.
 *
 * @throws EnvelopeError when a value does not open
 */
export function resealContent(keyring: Keyring, column: SealedColumn, row: SealedRow, keyId: string): string {
  const place = column.placeOf(row.placeParts);
  if (column.shape === "bytes") return hex(keyring.seal(keyring.open(Buffer.from(row.content, "hex"), place), place));
  let content = row.content;
  for (const sealed of sealedTexts(column.shape, content)) {
    if (envelopeKeyId(readEnvelopeText(sealed)) !== keyId) continue;
    content = content.replaceAll(sealed, keyring.sealText(keyring.openText(sealed, place), place));
  }
  return content;
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
