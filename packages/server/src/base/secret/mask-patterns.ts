/**
 * The spellings of one secret that must not be visible: the secret itself, each of its lines, and the base64, hexadecimal, URL, JSON, HTML
 * and shell forms of these, as common languages write them. Patterns are split into pieces, so that the number of bytes that a stream has to hold back is limited by `pieceBytes`.
 */

/** Shorter secrets would mask large parts of every output; they are refused when they are saved. In characters. */
export const minSecretLength = 4;
/** Shorter lines of a multi-line secret (`}`, `-----`) are too common to be masked on their own. In characters. */
const minLineLength = 8;
/** Longest secret whose hexadecimal forms are masked, in bytes: they are long, and nobody looks at a key file so. */
const maxHexBytes = 256;
/** Longest secret whose encoded forms are masked, in bytes. Longer ones are masked only literally and line by line. */
const maxEncodedBytes = 4_096;
const pieceBytes = 512;
/**
 * All patterns of one job together, in bytes: beyond that, encoded forms are left out first, then the longest secrets. A large secret must
 * not leave others unmasked.
 */
const budgetBytes = 262_144;

/** @returns distinct byte patterns (binary strings, one character a byte) for all secrets that are long enough to be masked */
export function maskPatterns(secrets: readonly string[]): string[] {
  const plain = secrets.flatMap((secret) => plainForms(makeWellFormed(secret))).sort((one, other) => one.length - other.length);
  const encoded = plain.filter((text) => Buffer.byteLength(text) <= maxEncodedBytes).flatMap(encodedForms);
  const hex = secrets.map((secret) => Buffer.from(secret.trim(), "utf8")).filter(({ length }) => length <= maxHexBytes);
  const patterns = new Set<string>();
  let spentBytes = 0;
  for (const text of [...plain, ...encoded, ...hex.flatMap(hexForms)]) {
    for (const piece of cutIntoPieces(Buffer.from(text, "utf8"))) {
      if (spentBytes + piece.length > budgetBytes) return [...patterns];
      if (!patterns.has(piece)) spentBytes += piece.length;
      patterns.add(piece);
    }
  }
  return [...patterns];
}

/** A lone surrogate, which some encodings below refuse, can't be in any output either. */
function makeWellFormed(text: string): string {
  return Buffer.from(text, "utf8").toString("utf8");
}

function plainForms(secret: string): string[] {
  const lines = secret.split(/\r\n|\n|\r/);
  const parts = lines.length > 1 ? lines.flatMap((line) => [line, line.trim()]).filter((line) => line.length >= minLineLength) : [];
  return [secret, secret.trim(), ...parts].filter((text) => text.length >= minSecretLength);
}

function encodedForms(text: string): string[] {
  return [
    ...urlForms(text),
    ...jsonForms(text),
    text.replace(/[&<>"']/g, (letter) => entities[letter] ?? letter),
    text.replaceAll("'", "'\\''"),
    ...base64Forms(Buffer.from(text, "utf8")),
  ].filter((form) => form.length >= minSecretLength);
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Languages differ in which marks they keep: JavaScript the first ones here, Python (and so most scripts) the slash. */
function urlForms(text: string): string[] {
  const url = encodeURIComponent(text);
  const strict = url.replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
  const lower = [url, strict].map((form) => form.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()));
  const forms = [url.replaceAll("%20", "+"), strict.replaceAll("%20", "+"), strict.replaceAll("%2F", "/")];
  return [url, strict, ...lower, ...forms, encodeURI(text)];
}

/** Python escapes all that is not ASCII, PHP slashes too, and Go what has a meaning in HTML. JSON is often a text in other JSON. */
function jsonForms(text: string): string[] {
  const json = inJson(text);
  const ascii = json.replace(/[\u0080-\uffff]/g, escapeUnit);
  const once = [json, ascii, json.replaceAll("/", "\\/"), ascii.replaceAll("/", "\\/"), json.replace(/[<>&\u2028\u2029]/g, escapeUnit)];
  return [...once, ...once.map(inJson)];
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** `xxd -p` breaks its output at 60 columns. */
function hexForms(bytes: Buffer): string[] {
  const hex = bytes.toString("hex");
  return bytes.length < minSecretLength ? [] : [hex, hex.toUpperCase(), ...wrap(hex, 60)];
}

/** A secret inside a longer encoded text may start at any of three offsets; only the characters that it determines alone are matched. */
function base64Forms(bytes: Buffer): string[] {
  const forms: string[] = [];
  for (const offset of [0, 1, 2]) {
    const whole = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    const first = [0, 2, 3][offset] ?? 0;
    const own = whole.slice(first, Math.floor(((offset + bytes.length) * 8) / 6));
    forms.push(own, whole.slice(first), toUrlSafe(own), toUrlSafe(whole.slice(first)));
    if (offset === 0) forms.push(...wrap(whole, 64), ...wrap(whole, 76));
  }
  return forms;
}

function toUrlSafe(base64: string): string {
  return base64.replaceAll("+", "-").replaceAll("/", "_");
}

/** `base64` breaks its output at 76 columns, `openssl` at 64. */
function wrap(text: string, width: number): string[] {
  if (text.length <= width) return [];
  const lines: string[] = [];
  for (let at = 0; at < text.length; at += width) lines.push(text.slice(at, at + width));
  return lines.filter((line) => line.length >= minLineLength);
}

function cutIntoPieces(bytes: Buffer): string[] {
  if (bytes.length <= pieceBytes) return [bytes.toString("latin1")];
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    // The last piece overlaps the previous one, so that no piece is short enough to be common.
    const start = Math.min(at, bytes.length - pieceBytes);
    pieces.push(bytes.toString("latin1", start, start + pieceBytes));
  }
  return pieces;
}
