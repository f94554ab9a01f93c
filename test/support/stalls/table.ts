/** `docs/reports/stalls.md`: what each operation held up. */

import type { Stall } from "./measure.ts";

/** `before`: the waits of an older executable, which has no turns to show. */
export function stallTable(
  leads: number,
  stalls: readonly Stall[],
  before?: readonly Stall[],
): string {
  const waits = new Map(before?.map(({ by, waitMs }) => [by, waitMs]));
  const head = ["processor", "wall", "others waited", ...(before ? ["waited before"] : [])];
  const rows = stalls.map(({ by, status, cpuMs, turnMs, waitMs }) => {
    const cells = [cpuMs, turnMs, waitMs, ...(before ? [waits.get(by) ?? null] : [])];
    const named = status === null ? by : `\`${by}\` ${status}`;
    return `| ${named} | ${cells.map((ms) => (ms === null ? "" : Math.round(ms))).join(" | ")} |`;
  });
  return `${[
    "# Stalls",
    "",
    `Every operation of the API once, with its status, on a team whose campaign has ${leads.toLocaleString("en")} ` +
      "leads, in the compiled executable: the longest turn of the main thread that the operation or a worker caused, in " +
      "milliseconds of processor time and by the wall clock (blank: none of 5 ms), and the longest wait for `/healthz` " +
      "on another connection meanwhile, which other work on the machine lengthens. " +
      "`test/journeys/stalls.test.ts` checks the processor time against its limit." +
      (before ? " The last column is that wait before forecasts had a thread of their own." : ""),
    "",
    `| | ${head.join(" | ")} |`,
    `|---|${head.map(() => "---:|").join("")}`,
    ...rows,
  ].join("\n")}\n`;
}
