// A relay for tests, run by plain Node in the network of an engine: forwards connections to PORT of its loopback address to the socket file
// PATH, which processes outside of that network can serve. Prints `ready`. Arguments: PORT PATH.
import { connect, createServer } from "node:net";

const [port, path] = process.argv.slice(2);
const server = createServer({ allowHalfOpen: true }, (client) => {
  const upstream = connect({ path, allowHalfOpen: true });
  client.pipe(upstream).pipe(client);
  client.on("error", () => upstream.destroy()).on("close", () => upstream.destroy());
  upstream.on("error", () => client.destroy()).on("close", () => client.destroy());
});
server.listen(Number(port), "127.0.0.1", () => console.log("ready"));
