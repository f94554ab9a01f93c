/**
 * What can be said of an address before anybody writes to it: by its own words, by what the name servers say
 * of its domain, by what came back from it, and by what its own server said where a mailbox asked (`callout.ts`).
 *
 * Source: RFC 2142 (roles), RFC 5321 §5.1 (a domain without MX takes email at its own address), RFC 7505 (null
 * MX); the lists are the packages'. Verdicts are ours (`docs/adr/mailboxes.md`).
 */

import { disposableEmailBlocklistSet } from "disposable-email-domains-js";
import ROLES from "role-based-email-addresses";
import type { RiskyAddresses } from "#domain/campaigns/campaign.ts";
import type { HoldReason } from "#domain/campaigns/enrollment.ts";
import { domainOf } from "#domain/email-address.ts";
import { nearestWord } from "#domain/nearest-word.ts";
import type { CalloutAnswer } from "./callout.ts";
import { type MxAnswer, providerOfDomain } from "./mail-provider.ts";

/** `valid`: its domain takes email, and nothing speaks against it. It may bounce all the same. */
export const ADDRESS_VERDICTS = ["valid", "risky", "invalid", "unknown"] as const;
export type AddressVerdict = (typeof ADDRESS_VERDICTS)[number];

export const INVALID_REASONS = ["no_such_domain", "no_mx", "null_mx", "no_such_mailbox"] as const;
export const RISKY_REASONS = [
  "soft_bounced",
  "disposable",
  "role_address",
  "likely_typo",
  "catch_all",
] as const;
/** Those of an invalid address first. */
export const ADDRESS_REASONS = [...INVALID_REASONS, ...RISKY_REASONS] as const;
export type AddressReason = (typeof ADDRESS_REASONS)[number];

/** As a list counts them: "20 role, 17 disposable". */
export const ADDRESS_WORDS: Readonly<Record<AddressReason, string>> = {
  no_such_domain: "with a domain that doesn't exist",
  no_mx: "with a domain without a mail server",
  null_mx: "with a domain that takes no email",
  no_such_mailbox: "unknown to their server",
  soft_bounced: "bounced lately",
  disposable: "disposable",
  role_address: "role",
  likely_typo: "probably mistyped",
  catch_all: "at a domain that takes any address",
};

/** What the words of an address alone can say. */
export type OwnReason = "disposable" | "role_address" | "likely_typo";

export interface AddressCheck {
  verdict: AddressVerdict;
  /** In the order of {@link ADDRESS_REASONS}. */
  reasons: readonly AddressReason[];
  /** The address that was probably meant. */
  suggestion: string | null;
}

/** What is known of a domain. */
export interface DomainFacts {
  /** Undefined: nobody has asked, or not lately. */
  mx: MxAnswer | undefined;
  /** It takes email for any address. */
  isCatchAll: boolean;
}

/** What a lead's address is checked by. */
export interface AddressFacts extends DomainFacts {
  email: string;
  own: readonly OwnReason[];
  softBounces: number;
  /** What its server said when a mailbox asked it. */
  callout: CalloutAnswer | null;
}

export function checkAddress(facts: AddressFacts): AddressCheck {
  const { email, own, mx, softBounces, callout, isCatchAll } = facts;
  const ofDomain = mx === undefined ? undefined : DOMAIN_REASONS[mx];
  const found = new Set<AddressReason>([
    ...own,
    ...(ofDomain === undefined ? [] : [ofDomain]),
    ...(softBounces > 0 ? (["soft_bounced"] as const) : []),
    ...(callout === "unknown_user" ? (["no_such_mailbox"] as const) : []),
    ...(isCatchAll ? (["catch_all"] as const) : []),
  ]);
  const reasons = ADDRESS_REASONS.filter((reason) => found.has(reason));
  const suggestion = found.has("likely_typo") ? suggestionFor(email) : null;
  return { verdict: verdictOf(reasons, mx), reasons, suggestion };
}

function verdictOf([first]: readonly AddressReason[], mx: MxAnswer | undefined): AddressVerdict {
  if (first === undefined) {
    return mx === "found" || mx === "none" ? "valid" : "unknown";
  }
  return isInvalid(first) ? "invalid" : "risky";
}

function isInvalid(reason: AddressReason): boolean {
  return INVALID_REASONS.some((one) => one === reason);
}

/**
 * What a check keeps from being sent: a hold, or `spread`, which waits among others like it; null: nothing. `risky`: what
 * the campaign does with such leads. `isFirst`: nobody has written to it yet.
 */
export function consequenceOf(
  { verdict }: AddressCheck,
  { risky, isFirst, isAccepted }: { risky: RiskyAddresses; isFirst: boolean; isAccepted: boolean },
): Extract<HoldReason, "invalid_address" | "risky_address"> | "spread" | null {
  if (verdict === "invalid") {
    return "invalid_address";
  }
  if (verdict !== "risky" || risky === "send" || !isFirst || isAccepted) {
    return null;
  }
  return risky === "hold" ? "risky_address" : "spread";
}

/** Addresses of an import, or of the leads that a campaign has yet to write to. */
export interface AddressTally {
  risky: number;
  invalid: number;
  /** An address may have several. */
  reasons: Partial<Record<AddressReason, number>>;
}

export function noTally(): AddressTally {
  return { risky: 0, invalid: 0, reasons: {} };
}

export function addTally(tally: AddressTally, more: AddressTally): void {
  tally.risky += more.risky;
  tally.invalid += more.invalid;
  for (const reason of ADDRESS_REASONS) {
    const sum = (tally.reasons[reason] ?? 0) + (more.reasons[reason] ?? 0);
    tally.reasons = { ...tally.reasons, ...(sum === 0 ? {} : { [reason]: sum }) };
  }
}

/** Counts an address; null: none was checked. */
export function tallyCheck(tally: AddressTally, check: AddressCheck | null): void {
  if (check?.verdict === "risky" || check?.verdict === "invalid") {
    tally[check.verdict] += 1;
    for (const reason of check.reasons) {
      tally.reasons[reason] = (tally.reasons[reason] ?? 0) + 1;
    }
  }
}

/** Why email to such a domain cannot arrive. */
const DOMAIN_REASONS: Readonly<Partial<Record<MxAnswer, AddressReason>>> = {
  no_domain: "no_such_domain",
  no_host: "no_mx",
  null_mx: "null_mx",
};

/** What the words of an address say, which is as `parseAddress` has it. */
export function ownReasons(email: string): OwnReason[] {
  const domain = domainOf(email);
  const local = email.slice(0, -domain.length - 1);
  return [
    ...(isDisposable(domain) ? (["disposable"] as const) : []),
    ...(isRole(local) ? (["role_address"] as const) : []),
    ...(intendedDomain(domain) === undefined ? [] : (["likely_typo"] as const)),
  ];
}

let disposable: ReadonlySet<string> | undefined;

/** The domain, or one that it is below, gives addresses to anybody for minutes. */
function isDisposable(domain: string): boolean {
  disposable ??= disposableEmailBlocklistSet();
  for (let name = domain; name.includes("."); name = name.slice(name.indexOf(".") + 1)) {
    if (disposable.has(name)) {
      return true;
    }
  }
  return false;
}

/** Roles that the package lacks: of RFC 2142, and of languages beside English. */
const MORE_ROLES = `
  news uucp usenet trouble inoc anfrage anfragen bestellung buero bewerbung bewerbungen
  datenschutz einkauf empfang gemeinde kanzlei karriere kundendienst kundenservice
  poststelle praxis presse rechnung rechnungen verwaltung vertrieb zentrale accueil bureau
  secretariat bonjour compta comptabilite courrier mairie recrutement serviceclient
  administracion atencion clientes facturacion hola oficina pedidos recepcion
  amministrazione contatti contatto commerciale segreteria ufficio vendite administratie
  boekhouding inkoop klantenservice verkoop biuro kancelaria sekretariat sklep obchod
  objednavky faktury prodej financeiro faturamento recursoshumanos secretaria post
  postmottak kundtjanst myynti toimisto
`
  .trim()
  .split(/\s+/);
/** Words of the package that are as well a person's name. */
const NAMES = ["alexa", "alla", "brand", "denver", "france", "gardner", "india", "paris", "sydney"];
/** Any other word of two letters may be somebody's initials. */
const SHORT_ROLES = ["hr", "it", "pr"];

const roles = new Set(
  [...ROLES, ...MORE_ROLES].filter(
    (word) => !NAMES.includes(word) && (word.length > 2 || SHORT_ROLES.includes(word)),
  ),
);

/** `info`, also with a number or a label behind it: nobody in particular reads it. */
function isRole(local: string): boolean {
  const word = local.replace(/\+.*$/, "");
  return roles.has(word) || roles.has(word.replace(/[-_.]?\d{1,3}$/, ""));
}

/** The providers whose names are mistyped most; their own neighbors are no typos. */
const MISTYPED = (
  "gmail.com googlemail.com hotmail.com hotmail.co.uk outlook.com yahoo.com yahoo.co.uk icloud.com " +
  "protonmail.com comcast.net btinternet.com t-online.de"
).split(" ");
const NEIGHBORS = ["mail.com", "email.com", "cloud.com"];

function intendedDomain(domain: string): string | undefined {
  const isReal = providerOfDomain(domain) !== null || NEIGHBORS.includes(domain);
  return isReal || MISTYPED.includes(domain) ? undefined : nearestWord(domain, MISTYPED, 1);
}

function suggestionFor(email: string): string | null {
  const domain = domainOf(email);
  const intended = intendedDomain(domain);
  return intended === undefined ? null : email.slice(0, -domain.length) + intended;
}
