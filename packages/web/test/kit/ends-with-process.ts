/** The runner ends its processes by a signal, which by default leaves no time for anything: the folders of the browser go at an exit. */
if (process.listenerCount("SIGTERM") === 0) process.on("SIGTERM", () => process.exit());
