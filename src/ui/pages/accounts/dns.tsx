/** What receivers look up about a sender's domain, and what to publish where something is missing. */

import type { ComponentChildren } from "preact";
import type { DomainDetail } from "#client.ts";
import { to } from "../../lib/route.ts";
import { CopyButton } from "../../parts/copy.tsx";
import { Pill, type Tone } from "../../parts/page.tsx";
import { sentence } from "./words.ts";

const CHECKS: Readonly<Record<string, string>> = {
  mx: "Receives email (MX)",
  spf: "Authorized to send (SPF)",
  dkim: "Signs its email (DKIM)",
  dmarc: "Forgery policy (DMARC)",
  sending_host: "Sending server’s host name",
  block_lists: "Block lists",
  tracking_host: "Tracking host",
  mta_sts: "Encryption of email to you (MTA-STS)",
  tls_rpt: "Reports on encryption (TLS-RPT)",
  bimi: "Logo (BIMI)",
};

export const checkName = (check: string) => CHECKS[check] ?? check;

/** Of a check, and of a domain. */
export const VERDICTS = {
  ok: ["good", "Passed"],
  advice: ["plain", "Optional"],
  warning: ["warn", "Needs attention"],
  fault: ["bad", "Failed"],
  unknown: ["plain", "Unknown"],
  unchecked: ["plain", "Not checked yet"],
} as const satisfies Record<string, [Tone, string]>;

export function Verdict({ of }: { of: keyof typeof VERDICTS }) {
  const [tone, word] = VERDICTS[of];
  return <Pill tone={tone}>{word}</Pill>;
}

/** To the page of an address's domain. */
export function DomainLink({ of }: { of: string }) {
  const domain = of.slice(of.lastIndexOf("@") + 1);
  return <a href={to(`domains/${domain}`)}>{domain}</a>;
}

/** `children`: what a remedy that is a call of the API is here. */
export function Check(props: { of: DomainDetail["checks"][number]; children: ComponentChildren }) {
  const { check, verdict, message, remedy, found, publish } = props.of;
  const isCall = remedy?.includes("POST /") === true && publish.length === 0;
  return (
    <li>
      <div>
        <strong>{checkName(check)}</strong> <Verdict of={verdict} />
      </div>
      <p class="small">
        {sentence(message)} {!isCall && remedy && sentence(remedy)}
      </p>
      {found.map((record) => (
        <code key={record}>{record}</code>
      ))}
      {publish.map(({ name, type, value }) => (
        <div key={name} class="publish">
          <span class="small">
            Publish {type} at {name}:
          </span>
          <code>{value}</code>
          <CopyButton text={value} />
        </div>
      ))}
      {isCall && props.children}
    </li>
  );
}
