/** Fields that several lists can be filtered by. */

import { and, eq, or, type SQL, sql } from "drizzle-orm";
import { type SQLiteColumn as Column, QueryBuilder } from "drizzle-orm/sqlite-core";
import type { TagKind } from "#domain/campaigns/tag.ts";
import type { Test } from "#domain/filter.ts";
import { ADDRESS_REASONS, ADDRESS_VERDICTS } from "#domain/mailboxes/address-check.ts";
import { PROVIDER_DOMAINS } from "#domain/mailboxes/mail-provider.ts";
import { idToBytes } from "#store/sqlite/columns.ts";
import { accounts } from "#store/tables/accounts.ts";
import { campaigns } from "#store/tables/campaigns.ts";
import { leadAliases, leads } from "#store/tables/leads.ts";
import { type Field, testOf } from "./filter.ts";

const query = new QueryBuilder();

/** By the tags that a record has. */
export const tagged = (kind: TagKind, id: Column) =>
  ({
    kind: "text",
    where: (test, { teamId }) => sql`exists (select 1 from tags where team_id = ${idToBytes(teamId)}
      and kind = ${kind} and target_id = ${id} and ${testOf(sql`name`, test)})`,
  }) as const satisfies Field;

/** By the name or the id of the campaign that `column` names. */
export const ofCampaign = (column: Column) => named(column, campaigns, campaigns.name);

/** By the address or the id of the mailbox that `column` names. */
export const ofAccount = (column: Column) => named(column, accounts, accounts.email);

function named(column: Column, table: typeof campaigns | typeof accounts, name: Column) {
  return {
    kind: "text",
    where: (test, { teamId }) => {
      const id = "text" in test ? test.text.replaceAll("-", "").toLowerCase() : "";
      const fits = or(testOf(name, test), sql`lower(hex(${table.id})) = ${id}`);
      const ids = query
        .select({ id: table.id })
        .from(table)
        .where(and(eq(table.teamId, teamId), fits));
      return sql`+${column} in ${ids}`;
    },
  } as const satisfies Field;
}

/** What is true or false. */
export const yesOrNo = (isTrue: SQL) =>
  ({
    kind: "choice",
    values: ["true", "false"],
    where: (test) => ("text" in test && test.text === "true" ? isTrue : sql`not (${isTrue})`),
  }) as const satisfies Field;

/** By a value of a JSON column, named after the dot. */
export const valueIn = (column: Column) =>
  ({
    kind: "text",
    where: (test, { part }) => testOf(sql`json_extract(${column}, ${`$."${part ?? ""}"`})`, test),
  }) as const satisfies Field;

/** Also an address that the lead had before a merge. */
function hasAddress(test: Test): SQL {
  return sql`(${testOf(leads.email, test)} or exists (select 1 from ${leadAliases}
    where ${leadAliases.leadId} = ${leads.id} and ${testOf(leadAliases.email, test)}))`;
}

const formerAddresses = sql`coalesce((select group_concat(${leadAliases.email}, ' ') from ${leadAliases}
  where ${leadAliases.leadId} = ${leads.id}), '')`;

const answer = sql`(select mx from mail_domains
  where domain = substr(${leads.email}, instr(${leads.email}, '@') + 1))`;
const isCatchAll = sql`exists (select 1 from callouts
  where name = substr(${leads.email}, instr(${leads.email}, '@') + 1) and catch_all)`;
const isUnknownUser = sql`coalesce(${leads.callout} = 'unknown_user', 0)`;
const isOfProvider = sql`substr(${leads.email}, instr(${leads.email}, '@') + 1) in
  (select value from json_each(${JSON.stringify(PROVIDER_DOMAINS)}))`;

/** As `checkAddress` decides. */
const verdict = sql`case
  when ${answer} in ('no_domain', 'no_host', 'null_mx') or ${isUnknownUser}
    then 'invalid'
  when ${leads.addressReasons} <> '[]' or ${leads.softBounces} > 0 or ${isCatchAll} then 'risky'
  when ${answer} in ('found', 'none') or ${isOfProvider} then 'valid'
  else 'unknown' end`;

const REASON_OF = { no_domain: "no_such_domain", no_host: "no_mx", null_mx: "null_mx" };

/** Why an address is no good, by the names of its reasons. */
const reasonOf = (test: Test) =>
  "text" in test
    ? sql`(instr(${leads.addressReasons}, ${`"${test.text}"`}) > 0
        or ${test.text} = ${JSON.stringify(REASON_OF)} ->> ${answer}
        or (${test.text} = 'no_such_mailbox' and ${isUnknownUser})
        or (${test.text} = 'catch_all' and ${isCatchAll})
        or (${test.text} = 'soft_bounced' and ${leads.softBounces} > 0))`
    : sql`0`;

/** Fields of a lead. */
export const LEAD_FIELDS = {
  email: { kind: "text", where: hasAddress },
  first_name: { kind: "text", column: leads.firstName },
  last_name: { kind: "text", column: leads.lastName },
  company: { kind: "text", column: leads.company },
  website: { kind: "text", column: leads.website },
  tag: tagged("lead", leads.id),
  verdict: { kind: "choice", values: ADDRESS_VERDICTS, column: verdict },
  address_reason: { kind: "choice", values: ADDRESS_REASONS, where: reasonOf },
  "variables.": valueIn(leads.variables),
} as const satisfies Readonly<Record<string, Field>>;

export const LEAD_WORDS = sql`${leads.email} || ' ' || coalesce(${leads.firstName}, '') || ' ' ||
  coalesce(${leads.lastName}, '') || ' ' || coalesce(${leads.company}, '') || ' ' || ${leads.variables} ||
  ' ' || ${formerAddresses}`;

/** The same of the lead that `column` names. */
export function ofLead<const Names extends readonly (keyof typeof LEAD_FIELDS)[]>(
  column: Column,
  names: Names,
): Record<Names[number], Field> {
  const entries = names.map((name): [string, Field] => {
    const field: Field = LEAD_FIELDS[name];
    const kind =
      field.kind === "choice"
        ? { kind: field.kind, values: field.values }
        : { kind: "text" as const };
    const where: Field = {
      ...kind,
      where: (test, whose) =>
        ofOne(column, "where" in field ? field.where(test, whose) : testOf(field.column, test)),
    };
    return [name, where];
  });
  return Object.fromEntries(entries) as Record<Names[number], Field>;
}

function ofOne(column: Column, condition: SQL): SQL {
  return sql`exists (select 1 from ${leads} where ${leads.id} = ${column} and ${condition})`;
}

/** Words of a lead, for a list of what is about leads. */
export const wordsOfLead = (column: Column) =>
  sql`(select ${LEAD_WORDS} from ${leads} where ${leads.id} = ${column})`;
