/** The severity that a log line states. */
export type LogLevel = "error" | "warning" | "info" | "debug";

/** The names of each level that loggers commonly write. */
const words: Readonly<Record<LogLevel, string>> = {
  error: "error|err|fatal|critical|crit|alert|emerg|emergency|panic|severe",
  warning: "warning|warn",
  info: "info|information|notice",
  debug: "debug|trace|verbose",
};

const names = "level|severity|lvl|levelname|log\\.level";

/** `"level": "error"` and `level=error`, case-insensitive. */
const member = (level: string) => `"(?:${names})"\\s*:\\s*"(?:${level})"|\\b(?:${names})="?(?:${level})\\b`;
/** `ERROR` alone, `[error]`, `<warn>`: near the start of the line, where loggers write the level. */
const bare = (level: string) => `(?:^|[\\s|(\\[<])(?:${level.toUpperCase()})(?:[\\s:|)\\]>]|$)`;
const bracketed = (level: string) => `[\\[<](?:${level})[\\]>]`;
/** After this many characters, such a word is part of the message. */
const beginCharacters = 80;

const tests = (Object.keys(words) as LogLevel[]).map((level) => ({
  level,
  member: new RegExp(member(words[level]), "i"),
  bare: new RegExp(bare(words[level])),
  bracketed: new RegExp(bracketed(words[level]), "i"),
}));

/** The level that a line states; undefined if it states none, or uses an unknown format. */
export function levelOf(text: string): LogLevel | undefined {
  const line = text.slice(0, 2_000);
  const begin = line.slice(0, beginCharacters);
  return tests.find((one) => one.bare.test(begin) || one.bracketed.test(begin) || one.member.test(line))?.level;
}

/** The available filters: lines with at least this severity. */
export const levelFilters = ["error", "warning"] as const;
export type LevelFilter = (typeof levelFilters)[number];

/** The same rule as a case-sensitive RE2 pattern for the service. */
export function levelPattern(least: LevelFilter): string {
  const levels = least === "error" ? words.error : `${words.error}|${words.warning}`;
  return `^.{0,${beginCharacters}}?(?:${bare(levels)}|(?i:${bracketed(levels)}))|(?i:${member(levels)})`;
}
