/** `outrider doctor`: looks for what would keep it from working, changes nothing, says what to do. */

import { command, type Option } from "#cli/command.ts";
import { EXIT } from "#cli/exit.ts";
import { jsonLine, printable, type Style, styled } from "#cli/term.ts";
import { examine, type Finding, type Verdict } from "./examine.ts";
import { examineAccounts } from "./examine-accounts.ts";
import { examineClients } from "./examine-clients.ts";
import { ALL_OPTIONS, configOf } from "./settings.ts";

const STYLE: Readonly<Record<Verdict, Style>> = { ok: "green", warning: "amber", fault: "red" };
const VERDICT_WIDTH = 7;
const ACCOUNTS_OPTION = {
  type: "boolean",
  about: "Log in to every mailbox too; sends no mail",
} as const satisfies Option;

export const doctorCommand = command({
  about: "Look for faults in the data directory, the settings and this machine",
  details:
    "Changes nothing. Exits 1 when it found a fault, 65 when another build's data lies there.",
  options: { accounts: ACCOUNTS_OPTION, ...ALL_OPTIONS },
  run: async (call) => {
    const { config } = configOf(call);
    const findings = [...(await examine(config)), ...(await examineClients(config))];
    if (call.values.accounts === true) {
      findings.push(...(await examineAccounts(config)));
    }
    const healthy = findings.every(({ verdict }) => verdict !== "fault");
    const { terminal } = call;
    const shown = findings.map(({ check, verdict, detail }) => ({ check, verdict, detail }));
    terminal.out(
      call.json
        ? jsonLine({ healthy, findings: shown })
        : findings.map((finding) => line(finding, terminal.outColours)).join(""),
    );
    const exit = findings.find((finding) => finding.exit !== undefined)?.exit ?? EXIT.failed;
    return healthy ? EXIT.done : exit;
  },
});

function line({ verdict, check, detail }: Finding, colours: boolean): string {
  const mark = styled(verdict.padEnd(VERDICT_WIDTH), STYLE[verdict], colours);
  return `${mark}  ${check}: ${printable(detail)}\n`;
}
