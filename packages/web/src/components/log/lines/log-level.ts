/** How grave a line says that it is. */
export type LogLevel = "error" | "warning" | "info" | "debug";

/** The words of each level, in the forms that loggers write most. */
const words: Readonly<Record<LogLevel, string>> = {
  error: "error|err|fatal|critical|crit|alert|emerg|emergency|panic|severe",
  warning: "warning|warn",
  info: "info|information|notice",
  debug: "debug|trace|verbose",
};

const names = "level|severity|lvl|levelname|log\\.level";

/** `"level": "error"` and `level=error`, in any case of letters. */
const member = (level: string) => `"(?:${names})"\\s*:\\s*"(?:${level})"|\\b(?:${names})="?(?:${level})\\b`;
/** `ERROR` alone, `[error]`, `<warn>`: near the beginning, where loggers write it. */
const bare = (level: string) => `(?:^|[\\s|(\\[<])(?:${level.toUpperCase()})(?:[\\s:|)\\]>]|$)`;
const bracketed = (level: string) => `[\\[<](?:${level})[\\]>]`;
/** Behind so many characters a word is part of what is said. */
const beginCharacters = 80;

const tests = (Object.keys(words) as LogLevel[]).map((level) => ({
  level,
  member: new RegExp(member(words[level]), "i"),
  bare: new RegExp(bare(words[level])),
  bracketed: new RegExp(bracketed(words[level]), "i"),
}));

/** The level that a line names; undefined: none, or in a form that nobody knows. */
export function levelOf(text: string): LogLevel | undefined {
  const line = text.slice(0, 2_000);
  const begin = line.slice(0, beginCharacters);
  return tests.find((one) => one.bare.test(begin) || one.bracketed.test(begin) || one.member.test(line))?.level;
}

/** What can be chosen: lines that are at least so grave. */
export const levelFilters = ["error", "warning"] as const;
export type LevelFilter = (typeof levelFilters)[number];

/** The same rule for the service, as a pattern of RE2 that minds the case of letters. */
export function levelPattern(least: LevelFilter): string {
  const levels = least === "error" ? words.error : `${words.error}|${words.warning}`;
  return `^.{0,${beginCharacters}}?(?:${bare(levels)}|(?i:${bracketed(levels)}))|(?i:${member(levels)})`;
}
