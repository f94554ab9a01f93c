/** `/system`: how the installation is, for its operator. */

import { Elysia } from "elysia";
import { context } from "#api/context.ts";
import { OPERATOR_SCOPE } from "#domain/team/api-key.ts";
import { type Operations, running } from "#usecases/operations/operations.ts";
import { presentSystem, System } from "./schema.ts";

export function systemRoutes(operations: Operations | undefined) {
  return new Elysia({
    prefix: "/system",
    tags: ["system"],
    detail: { "x-scope": OPERATOR_SCOPE } as object,
    normalize: false,
  })
    .use(context)
    .get(
      "",
      async () => {
        const on = running(operations);
        return presentSystem(on.system(), await on.findings());
      },
      {
        response: { 200: System },
        detail: {
          summary: "Get the system state",
          description:
            "Returns sizes, queues and workers of the installation, and the results of its checks.",
        },
      },
    );
}
