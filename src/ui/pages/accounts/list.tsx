/** Accounts: are my mailboxes well, and what do they still have to give today? */

import type { Account, Domain } from "#client.ts";
import type { Beat } from "../../charts/heartbeat.tsx";
import { api } from "../../lib/api.ts";
import { curl } from "../../lib/curl.ts";
import { useData } from "../../lib/data.ts";
import { FILTER_FIELDS } from "../../lib/filter-fields.ts";
import { plural } from "../../lib/format.ts";
import { env, filter, setFilters, to } from "../../lib/route.ts";
import { can } from "../../lib/session.ts";
import { SearchField } from "../../parts/form/search-field.tsx";
import { Card, Empty, Loaded, Page } from "../../parts/page.tsx";
import { AccountCard } from "./card.tsx";
import { DomainLink, Verdict } from "./dns.tsx";
import { Paged } from "./paged.tsx";
import { troubleOf } from "./words.ts";
import { Workspaces } from "./workspaces.tsx";

/** Cards on a page. */
const CARDS = 24;

const CURL = curl("POST", "/accounts", { email: "ada@your-company.com", provider: "smtp" });

async function load(search: string) {
  const [accounts, activity, domains] = await Promise.all([
    api().listAccounts(search === "" ? {} : { filter: search }),
    api().listAccountActivity({ hours: 48 }),
    api().listDomains({ limit: 100 }),
  ]);
  return {
    accounts: accounts.data,
    domains: domains.data,
    beats: new Map<string, Beat[]>(activity.data.map((one) => [one.account_id, one.hours])),
  };
}

export function AccountsPage() {
  const data = useData(() => load(filter("search")), ["account", "email", "domain"]);
  const add = can("accounts:write") && (
    <a class="button primary" href={to("accounts/new")}>
      Add mailbox
    </a>
  );
  const all = data.value?.accounts;
  return (
    <Page title="Mailboxes" about={all ? <Summary accounts={all} /> : undefined} actions={add}>
      <div class="lead-filters">
        <SearchField
          placeholder="Search, or filter: health<80"
          fields={FILTER_FIELDS.mailboxes}
          onChange={() => setFilters({ page: "" })}
        />
      </div>
      {env.value === "live" && <Workspaces />}
      <Loaded data={data} lines={8}>
        {({ accounts, domains, beats }) =>
          accounts.length === 0 && filter("search") !== "" ? (
            <Card>
              <Empty icon="search" title="No matching mailboxes">
                No mailboxes match your search.
              </Empty>
            </Card>
          ) : accounts.length === 0 ? (
            <Card>
              <Empty icon="accounts" title="No mailboxes yet" curl={CURL} action={add}>
                A mailbox sends your emails and receives the replies. Its address and provider are
                enough to get started.
              </Empty>
            </Card>
          ) : (
            <>
              <Cards accounts={accounts} beats={beats} />
              <Domains of={domains} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

function Domains({ of }: { of: readonly Domain[] }) {
  return (
    <Card title="Domains">
      <ul class="dns">
        {of.map(({ domain, state }) => (
          <li key={domain}>
            <p>
              <DomainLink of={domain} /> <Verdict of={state} />
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Summary({ accounts }: { accounts: readonly Account[] }) {
  if (accounts.length === 0) {
    return <>Mailboxes that send your emails and receive the replies</>;
  }
  const troubled = accounts.filter((account) => troubleOf(account) !== null).length;
  return (
    <>
      {plural(accounts.length, "mailbox", "mailboxes")},{" "}
      {troubled === 0 ? "all working" : plural(troubled, "needs attention", "need attention")}
    </>
  );
}

function Cards(props: { accounts: readonly Account[]; beats: ReadonlyMap<string, Beat[]> }) {
  const { accounts, beats } = props;
  // Those in trouble come first; among equals the order stays.
  const sorted = accounts.toSorted(
    (a, b) => Number(troubleOf(b) !== null) - Number(troubleOf(a) !== null),
  );
  return (
    <Paged label="Mailbox pages" rows={sorted} size={CARDS}>
      {(shown) => (
        <ul class="account-cards">
          {shown.map((account) => (
            <AccountCard key={account.id} account={account} beats={beats.get(account.id) ?? []} />
          ))}
        </ul>
      )}
    </Paged>
  );
}
