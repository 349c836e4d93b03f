/** Words by which programs say that something went wrong. `0 errors` and `no error` say that nothing did. */
const errorWords =
  /(?<!\b(?:no|0|without)\s)(?:\b(?:error|errors|fatal|exception|traceback|panic|failed|failure)\b|\b[a-z]+(?:error|exception)\b)/i;

/** One of these stands in every line that looks like an error: where none is, no line has to be looked at. */
const errorHints = /error|fatal|exception|traceback|panic|fail/i;

/** For going from one thing that went wrong to the next. Lines of the service itself are none. */
export function looksLikeError({ text, stream }: { text: string; stream: string }): boolean {
  if (stream === "system") return false;
  const begin = text.length > 2_000 ? text.slice(0, 2_000) : text;
  return errorHints.test(begin) && errorWords.test(begin);
}

/** False: no part of the text can look like an error. */
export function mayHoldErrors(text: string): boolean {
  return errorHints.test(text);
}
