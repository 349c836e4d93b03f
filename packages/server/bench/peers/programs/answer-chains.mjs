// The HTTP endpoint for libraries without a server of their own: POST {"steps": 3} returns the number of steps that have run.
import { createServer } from "node:http";

export function answerChains(run) {
  const server = createServer(async (request, response) => {
    try {
      const parts = [];
      for await (const part of request) parts.push(part);
      const value = await run(JSON.parse(Buffer.concat(parts).toString()).steps);
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  server.listen(0, "127.0.0.1", () => console.log(`ready http://127.0.0.1:${server.address().port}`));
}
