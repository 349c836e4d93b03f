// A Restate service with one handler: each step is a `ctx.run`, which is durable before the next one begins.
import { createServer } from "node:http2";
import * as restate from "@restatedev/restate-sdk";

// Its SDK needs features that Node 20 lacks.
Promise.withResolvers ??= () => {
  const parts = {};
  parts.promise = new Promise((resolve, reject) => Object.assign(parts, { resolve, reject }));
  return parts;
};

const chain = restate.service({
  name: "chain",
  handlers: {
    run: async (ctx, { steps }) => {
      let value = 0;
      for (let index = 0; index < steps; index++) value = await ctx.run(`step ${index}`, async () => value + 1);
      return value;
    },
  },
});

const server = createServer(restate.createEndpointHandler({ services: [chain] }));
server.listen(0, "127.0.0.1", () => console.log(`ready http://127.0.0.1:${server.address().port}`));
