/**
 * The runner ends its processes with a signal, which by default leaves no time for cleaning up; the browser's folders are removed at an
 * exit.
 */
if (process.listenerCount("SIGTERM") === 0) process.on("SIGTERM", () => process.exit());
