// The workflow of Temporal, which is bundled and replayed: it may import nothing but this.
import { proxyActivities } from "@temporalio/workflow";

const { step } = proxyActivities({ startToCloseTimeout: "1 minute" });

export async function chain(steps) {
  let value = 0;
  for (let index = 0; index < steps; index++) value = await step(value);
  return value;
}
