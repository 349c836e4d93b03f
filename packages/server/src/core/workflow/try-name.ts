/**
 * A task that is tried runs in a workflow of its own, made for that one run. Nobody else can make one of such a name (names that people
 * give are slugs), so what bears it may be left out of lists and cleared away.
 */
export const tryPrefix = "try~";
