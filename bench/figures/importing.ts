/** Leads a second through `POST /campaigns/{id}/leads`. */

import { join } from "node:path";
import { program, resultOf, temporaryDirectory } from "../children.ts";
import { leadAt } from "../leads.ts";
import { compare, type Figure, type Sample } from "../measure.ts";
import type { ImportResult } from "../programs/import-limit.ts";
import { startProduct } from "./product.ts";
import type { Scale } from "./scale.ts";

/** The most that one request may hold. */
const BATCH = 10_000;

export async function importing(executable: string, scale: Scale): Promise<Figure> {
  const { importLeads: leads } = scale;
  const through = async (): Promise<Sample> => {
    using directory = temporaryDirectory();
    await using product = await startProduct(executable, join(directory.path, "data"));
    const { id } = await product.post("/campaigns", { name: "Import" });
    const bodies: object[] = [];
    for (let from = 0; from < leads; from += BATCH) {
      const length = Math.min(BATCH, leads - from);
      bodies.push({ leads: Array.from({ length }, (_, index) => leadAt(from + index)) });
    }
    const cpuBefore = product.server.cpuMs() ?? Number.NaN;
    const from = performance.now();
    for (const body of bodies) {
      await product.post(`/campaigns/${id}/leads`, body);
    }
    const ms = performance.now() - from;
    const cpuMs = (product.server.cpuMs() ?? Number.NaN) - cpuBefore;
    const cpuUs = Number.isNaN(cpuMs) ? undefined : (cpuMs * 1000) / leads;
    return { value: (leads * 1000) / ms, cpuUs };
  };
  const raw = async (): Promise<Sample> => {
    using directory = temporaryDirectory();
    const input = { path: join(directory.path, "raw.db"), leads };
    const { ms, cpuUs } = await resultOf<ImportResult>(program("import-limit", input));
    return { value: (leads * 1000) / ms, cpuUs: cpuUs / leads };
  };
  return await compare(
    {
      id: "import",
      about: `Import of ${leads} leads as JSON, ${BATCH} a request`,
      unit: "1/s",
      product: { name: "outrider", run: through },
      limits: [{ name: "sorted rows through prepared inserts", run: raw }],
    },
    scale.importRounds,
  );
}
