/** Bundles the programs of the global tasks. @param outDir absolute folder; made when it is missing */
export function buildPrograms(outDir: string): Promise<void>;
