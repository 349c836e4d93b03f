/** Builds the user interface into dist/web when its sources have changed since. */
export function buildWeb(say?: (line: string) => void): Promise<void>;
