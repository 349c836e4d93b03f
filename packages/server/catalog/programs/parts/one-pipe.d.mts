export function newMark(): string;
export function splitFrames(
  mark: string,
  to: { out(bytes: Buffer): void; err(bytes: Buffer): void },
): { write(chunk: Buffer): void; end(): void };
