// Installs and builds what the test cluster takes, without running a test: CI does so in the background, long before it needs it.
// biome-ignore lint/correctness/useImportExtensions: the declaration beside it is not what runs
import { prepareKubernetes } from "./binaries.mjs";

const found = await prepareKubernetes({ say: (line) => console.log(`millrace: ${line}`) });
if ("why" in found) console.log(`millrace: ${found.why}`);
