/** Words by which programs report an error. `0 errors` and `no error` report that there was none. */
const errorWords =
  /(?<!\b(?:no|0|without)\s)(?:\b(?:error|errors|fatal|exception|traceback|panic|failed|failure|critical)\b|\b[a-z]+(?:error|exception)\b)/i;

/** Error messages of the system and of shells that contain no such word. */
const errorPhrases =
  /no such file or directory|permission denied|not permitted|read-only file system|no space left|command not found|: not found$|connection refused|timed out|out of memory|segmentation fault|core dumped|\berr!/i;

/** One of these stands in every line that looks like an error: where none is, no line has to be examined. */
const errorHints =
  /error|fatal|exception|traceback|panic|fail|critical|no such file|denied|not permitted|read-only|no space|not found|refused|timed out|out of mem|segmentation|dumped|err!/i;

/**
 * Used to mark errors, and to jump from one to the next. It judges by words, since a line does not show whether it was written to standard
 * error. Lines of the service itself never count.
 */
export function looksLikeError({ text, stream }: { text: string; stream?: string }): boolean {
  if (stream === "system") return false;
  const begin = text.length > 2_000 ? text.slice(0, 2_000) : text;
  return errorHints.test(begin) && (errorWords.test(begin) || errorPhrases.test(begin));
}

/** False: no line of the text looks like an error. */
export function mayHoldErrors(text: string): boolean {
  return errorHints.test(text);
}
