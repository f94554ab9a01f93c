/** The simulator: the sandbox's clock, its people, its faults, and what its mail servers hold. */

import { api } from "../../lib/api.ts";
import { useData } from "../../lib/data.ts";
import { env, to } from "../../lib/route.ts";
import { can } from "../../lib/session.ts";
import { Act } from "../../parts/act.tsx";
import { Card, Empty, Loaded, Page } from "../../parts/page.tsx";
import { Clock } from "./clock.tsx";
import { Logins } from "./logins.tsx";
import { Mails } from "./mails.tsx";
import { Rates } from "./rates.tsx";

export function SimulatorPage() {
  if (env.value === "live") {
    return (
      <Page title="Simulator">
        <Empty
          icon="simulator"
          title="Only the sandbox has a simulator"
          action={
            <a class="button primary" href={to("simulator", "test")}>
              Go to the sandbox
            </a>
          }
        >
          In live the time is the wall’s, and people answer as they like.
        </Empty>
      </Page>
    );
  }
  return (
    <Page
      title="Simulator"
      about="A made-up world for your campaigns: no mail of the sandbox leaves this machine"
      actions={
        can("sandbox:write") && (
          <Act
            label="Start anew"
            look="danger"
            run={() =>
              api()
                .resetSandbox()
                .then(() => location.assign(to("simulator")))
            }
            asks={{ title: "Empty the sandbox?", action: "Empty it" }}
          >
            Campaigns, leads, accounts, mails and experiments of the sandbox go, and cannot be had
            back. Its keys and webhooks stay, and nothing of live is touched.
          </Act>
        )
      }
    >
      <div class="stack">
        <Clock />
        <Behaviour />
        <Mails />
      </div>
    </Page>
  );
}

const PEOPLE = [
  ["reply", "Reply"],
  ["interested", "Reply with interest"],
  ["auto_reply", "Are out of office"],
  ["unsubscribe", "Unsubscribe"],
  ["complaint", "Report as spam"],
  ["hard_bounce", "Bounce for good"],
  ["soft_bounce", "Bounce for now"],
  ["spam", "Sorted into spam"],
] as const;

const FAULTS = [
  ["smtp421", "421: not now, try later"],
  ["smtp450", "450: this mailbox not now"],
  ["smtp550", "550: refused for good"],
  ["timeout", "No answer in time"],
  ["cut", "Cut off after the mail"],
  ["imap", "Mailbox cannot be read"],
] as const;

function Behaviour() {
  const settings = useData(() => api().getSandboxSettings());
  return (
    <Loaded data={settings} lines={8}>
      {({ rates, faults }) => (
        <div class="grid">
          <Card span={6} title="How do people behave?" note="Of 100 mails">
            <Rates of="rates" names={PEOPLE} values={rates} />
          </Card>
          <Card span={6} title="What goes wrong at the servers?" note="Of 100 attempts">
            <div class="stack">
              <Rates of="faults" names={FAULTS} values={faults} />
              <Logins refused={faults.auth_failures} />
            </div>
          </Card>
        </div>
      )}
    </Loaded>
  );
}
