export function takeLock(
  folder: string,
  options?: { onWait?: () => void; signal?: AbortSignal },
): Promise<{ addOwner(pid: number): void; free(): void }>;
