/** What recipients' providers make of each mailbox's emails, and where a mailbox waits because one refuses it. */

import type { Account, ProviderFiguresList, SeedProvider } from "#client.ts";
import { MAIL_PROVIDERS } from "#domain/mailboxes/mail-provider.ts";
import { api } from "../../lib/api.ts";
import { now } from "../../lib/clock.ts";
import { useData } from "../../lib/data.ts";
import { count, date, dateTime, NONE, plural, rate } from "../../lib/format.ts";
import { filter, setFilters, to } from "../../lib/route.ts";
import { FilterPick } from "../../parts/form/pick.tsx";
import { Card, Empty, Loaded, Page, Pill } from "../../parts/page.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { When } from "../../parts/when.tsx";
import { Paged } from "./paged.tsx";
import { providerName, sentence } from "./words.ts";

type Line = ProviderFiguresList["data"][number] & { id: string; email: string };
type Refusal = Line["refused_by"][number];

const ROWS = 60;
/** A provider of no name stands for many domains, each with refusals of its own. */
const REFUSALS_SHOWN = 3;

async function load(accountId: string, provider: string) {
  const [{ data: accounts }, { data, from, to: last }] = await Promise.all([
    api().listAccounts(),
    api().listAccountProviders({
      ...(accountId === "" ? {} : { account_id: accountId }),
      // Another word than a provider's is refused by name.
      ...(provider === "" ? {} : { provider: provider as SeedProvider }),
    }),
  ]);
  const emails = new Map(accounts.map(({ id, email }) => [id, email]));
  const lines = data.map((line) => {
    const { account_id: id, provider: at } = line;
    return { ...line, id: `${id} ${at}`, email: emails.get(id) ?? id };
  });
  const isWaiting = ({ refused_by: all }: Line) => all.some(({ until }) => until !== null);
  lines.sort((a, b) => Number(isWaiting(b)) - Number(isWaiting(a)));
  return { accounts, lines, days: `${date(from)} to ${date(last)} (UTC)` };
}

export function ProvidersPage() {
  const data = useData(
    () => load(filter("account_id"), filter("provider")),
    ["account", "email", "placement"],
  );
  return (
    <Page
      title="Recipient providers"
      about="What the providers of your recipients do with each mailbox’s emails"
    >
      <Picks accounts={data.value?.accounts ?? []} />
      <Loaded data={data} lines={8}>
        {({ lines, days }) =>
          lines.length === 0 ? (
            <Card>
              <Empty icon="accounts" title="No emails in the last 30 days">
                Once a mailbox has sent emails, you see here how Google, Microsoft, and the other
                providers of your recipients took them.
              </Empty>
            </Card>
          ) : (
            <Card flush title="Last 30 days" note={days}>
              <Paged label="Pages of recipient providers" rows={lines} size={ROWS}>
                {(rows) => (
                  <Table label="Emails by mailbox and provider" isCards {...{ rows, columns }} />
                )}
              </Paged>
            </Card>
          )
        }
      </Loaded>
    </Page>
  );
}

function Picks({ accounts }: { accounts: readonly Account[] }) {
  const onChange = () => setFilters({ page: "" });
  return (
    <div class="lead-filters">
      <FilterPick
        label="Mailbox"
        isBare
        name="account_id"
        any="All mailboxes"
        options={accounts.map(({ id, email }) => [id, email])}
        onChange={onChange}
      />
      <FilterPick
        label="Provider"
        isBare
        name="provider"
        any="All providers"
        options={MAIL_PROVIDERS.map((provider) => [provider, providerName(provider)])}
        onChange={onChange}
      />
    </div>
  );
}

/** How many, and their share. */
const figure = (
  title: string,
  name: "accepted" | "deferred" | "refused" | "bounced" | "replied",
  all: "attempts" | "accepted",
): Column<Line> => ({
  title,
  isFigure: true,
  cell: (line) => (
    <>
      {count(line[name])}{" "}
      {line[name] > 0 && <span class="faint">{rate(line[name], line[all])}</span>}
    </>
  ),
});

const columns: readonly Column<Line>[] = [
  {
    title: "Mailbox",
    cell: ({ account_id: id, email }) => <a href={to(`accounts/${id}`)}>{email}</a>,
  },
  { title: "Provider", cell: ({ provider }) => providerName(provider) },
  figure("Accepted", "accepted", "attempts"),
  figure("Deferred", "deferred", "attempts"),
  figure("Refused", "refused", "attempts"),
  figure("Bounced", "bounced", "accepted"),
  figure("Replied", "replied", "accepted"),
  {
    title: "Inbox tests",
    isFigure: true,
    cell: ({ placed: { inbox, total } }) =>
      total === 0 ? NONE : `${count(inbox)} of ${count(total)}`,
  },
  {
    title: "Sending",
    cell: ({ provider, refused_by: all }) => (
      <>
        {all.slice(0, REFUSALS_SHOWN).map((refusal) => (
          <Stop key={refusal.provider} of={refusal} at={provider} />
        ))}
        {all.length > REFUSALS_SHOWN && (
          <p class="small quiet">And {count(all.length - REFUSALS_SHOWN)} more.</p>
        )}
      </>
    ),
  },
];

function Stop({ of, at }: { of: Refusal; at: Line["provider"] }) {
  const { provider, refusals, since, until, said, remedy, page } = of;
  const name = providerName(provider);
  return (
    <div>
      {until !== null && (
        <Pill tone="warn">
          {Date.parse(until) > now.value ? `Stopped until ${dateTime(until)}` : "Trying again"}
        </Pill>
      )}
      <p class="small quiet">
        {provider !== at && `${name}: `}
        {plural(refusals, "refusal")}, the first <When at={since} />. {sentence(said)} {remedy}{" "}
        {page !== null && (
          <a href={page} target="_blank" rel="noreferrer">
            {name}’s page on refusals
          </a>
        )}
      </p>
    </div>
  );
}
