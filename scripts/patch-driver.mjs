// Patches postgres.js 3.4.9 where it is loaded: by the bundle of the service, and by the test runner.
//
// When a connection breaks, the driver may write to a socket that is gone: an exception outside of every promise, which ends the process
// (github.com/porsager/postgres, issues 1066, 1154 and 1208, open); so does one that breaks while the driver asks for types. The rest of
// such a write is sent first on the next connection, which then never comes to life. A statement that came between the error and the close
// of a socket is never answered, and takes the answer of a later one. And a transaction whose connection broke may go on, outside of any
// transaction, when its connection was made again. A COPY whose last rows fill the reader's buffer leaves its connection paused forever.
//
// A transaction that begins while the socket is full, or as the last statement that fits on the connection, fails with a TypeError;
// and a server without TLS gets the start of a TLS handshake all the same, which it takes for nonsense and closes the connection.
// The certificate of a server that is named by its IP address is checked for the name "localhost". A connection that the other side
// closes before it is ready (a proxy without a server behind it) is made again without end and without a pause, and the statement
// that waits for it never fails.
//
// Each passage must be there exactly once, or loading fails: with another version of the driver, look which of them are still needed.
const patches = {
  "connection.js": [
    [
      "  function execute(q) {\n",
      `  function execute(q) {
    if (socket === null) return queryError(q, Errors.connection('CONNECTION_CLOSED', options)), true
`,
    ],
    [
      "  function nextWrite(fn) {\n",
      `  function nextWrite(fn) {
    if (socket === null) {
      chunk = nextWriteTimer = null
      return true
    }
`,
    ],
    [
      "incomings = null\n    clearImmediate(nextWriteTimer)\n",
      "incomings = null\n    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n",
    ],
    [
      "      return write(toBuffer(q))\n",
      `      const isFree = write(toBuffer(q))
      if (q.options.onexecute) return q.options.onexecute(connection), false
      return isFree
`,
    ],
    ["        && (!q.options.onexecute || q.options.onexecute(connection))\n", ""],
    [
      "      if (!canSSL && ssl === 'prefer')\n        return connected()\n",
      `      if (!canSSL && ssl === 'prefer')
        return connected()
      if (!canSSL) {
        error(Errors.generic('TLS_REFUSED', 'The server does not speak TLS'))
        return socket.destroy()
      }
`,
    ],
    [
      "    if (initial)\n      return reconnect()\n",
      `    if (initial && options.host.length > 1)
      return reconnect()
    if (initial)
      error(Errors.connection('CONNECTION_CLOSED', options, socket))
`,
    ],
    ["      servername: net.isIP(", "      host: socket.host,\n      servername: net.isIP("],
    ["return fetchArrayTypes()\n", "return fetchArrayTypes().catch(() => {})\n"],
    [
      "!hadError && (query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))\n",
      `if (query || sent.length) error(Errors.connection('CONNECTION_CLOSED', options, socket))
    query = null
`,
    ],
    [
      "    stream && stream.push(null)\n    stream = null\n",
      "    stream && stream.push(null)\n    stream = null\n    socket && socket.resume()\n",
    ],
  ],
  "index.js": [
    ["    let savepoints = 0\n", "    let savepoints = 0, lost = null\n"],
    [
      "connection.onclose = reject)",
      `connection.onclose = error => {
          lost = error
          while (queries.length) queries.shift().reject(error)
          reject(error)
        })`,
    ],
    [
      "q.catch(e => uncaughtError || (uncaughtError = e))\n",
      "q.catch(e => uncaughtError || (uncaughtError = e))\n        if (lost) return q.reject(lost)\n",
    ],
  ],
};

/** @param {string} path of the module @param {string} source @returns {string | undefined} undefined: it needs no fixing */
function patchDriver(path, source) {
  const file = /[\\/]node_modules[\\/]postgres[\\/]src[\\/](connection\.js|index\.js)$/.exec(path)?.[1];
  if (!file) return undefined;
  let repaired = source;
  for (const [before, after] of patches[file]) {
    if (repaired.split(before).length !== 2)
      throw new Error(`scripts/patch-driver.mjs does not fit this version of postgres (${file}): ${before.trim()}`);
    repaired = repaired.replace(before, () => after);
  }
  return repaired;
}

/** For vite. */
export const driverPlugin = { name: "patch-driver", enforce: "pre", transform: (source, id) => patchDriver(id.split("?")[0], source) };

/** For esbuild. */
export const driverBundlePlugin = {
  name: "patch-driver",
  setup(build) {
    build.onLoad({ filter: /postgres[\\/]src[\\/](connection|index)\.js$/ }, async ({ path }) => {
      const contents = patchDriver(path, await (await import("node:fs/promises")).readFile(path, "utf8"));
      return contents === undefined ? undefined : { contents, loader: "js" };
    });
  },
};
