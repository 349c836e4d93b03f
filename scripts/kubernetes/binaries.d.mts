export function findKubernetes(): { folder: string } | { why: string };
export function prepareKubernetes(options: { say: (line: string) => void }): Promise<{ folder: string } | { why: string }>;
