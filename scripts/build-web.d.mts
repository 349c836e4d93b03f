/** Builds the user interface into dist/web when its sources have changed since. */
export function buildWeb(): Promise<void>;
