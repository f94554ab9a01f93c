/** What a DMARC record means for one mailbox, and the record that would be right. */

import type { DmarcReport } from "./dmarc.ts";
import { type DomainFinding, type DomainSubject, finding, unanswered } from "./finding.ts";

/** `aligned`: what can pass for the domain itself. */
export function checkDmarc(
  { domain, address, isProviderDomain }: DomainSubject,
  dmarc: DmarcReport,
  aligned: { spf: boolean; dkim: boolean },
): DomainFinding {
  const found = dmarc.record === null ? [] : [dmarc.record];
  if (dmarc.silent) {
    return unanswered("dmarc", [dmarc.name]);
  }
  const value = `v=DMARC1; p=none; rua=mailto:${address}`;
  const publish = isProviderDomain
    ? []
    : [{ name: `_dmarc.${domain}`, type: "TXT" as const, value }];
  if (dmarc.errors.length > 0) {
    const message = `the DMARC record is invalid: ${dmarc.errors.join("; ")}`;
    return finding("dmarc", "fault", message, {
      remedy: "Replace it with one valid record.",
      ...{ found, publish },
    });
  }
  if (dmarc.record === null) {
    return finding("dmarc", "fault", `${domain} has no DMARC record`, {
      remedy: "Publish one; p=none is enough to start with.",
      publish,
    });
  }
  if (isProviderDomain) {
    const message = `${domain} has the policy p=${dmarc.policy} for email that others send as it`;
    return finding("dmarc", "ok", message, { found });
  }
  const policy = `the policy is p=${dmarc.policy}`;
  if (!aligned.spf && !aligned.dkim) {
    const harm = dmarc.policy === "none" ? "" : `, so receivers ${dmarc.policy} this email`;
    const message = `${policy}, but neither SPF nor DKIM passes for ${domain}${harm}`;
    const remedy = "Fix SPF or DKIM first: one of them must pass for the From address.";
    return finding("dmarc", dmarc.policy === "none" ? "warning" : "fault", message, {
      ...{ remedy, found },
    });
  }
  const by = [...(aligned.spf ? ["SPF"] : []), ...(aligned.dkim ? ["DKIM"] : [])].join(" and ");
  return dmarc.advice.length === 0
    ? finding("dmarc", "ok", `${policy}, and ${by} can pass for ${domain}`, { found })
    : finding("dmarc", "warning", `${policy}; ${dmarc.advice.join("; ")}`, {
        remedy: "Add rua=mailto: with an address that someone reads.",
        found,
      });
}
