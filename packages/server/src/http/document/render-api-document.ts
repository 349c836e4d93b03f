import { everyEndpoint } from "../answer/every-endpoint.ts";
import { endpoints } from "../routes.ts";
import { renderApiDocument as render } from "./openapi.ts";

/** packages/server/openapi.json: the document of everything that this program answers. */
export function renderApiDocument(): string {
  return render(everyEndpoint(endpoints));
}
