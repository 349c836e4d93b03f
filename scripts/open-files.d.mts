export function findTooFewFiles(): string | undefined;
