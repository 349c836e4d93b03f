export function releaseChangelog(text: string, release: { version: string; date: string }): string;
