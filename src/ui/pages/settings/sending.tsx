/** What is printed under every mail, where tracked links lead, and the rules that nobody can turn off. */

import { to } from "../../lib/route.ts";
import { Field, TextField } from "../../parts/form/form.tsx";
import { Card } from "../../parts/page.tsx";
import { SettingsPage } from "./frame.tsx";
import { TeamForm } from "./team-form.tsx";

const RULES = [
  "Each person gets a mail only inside the hours of the campaign, by their own clock where it is known.",
  "A mailbox never sends more than its cap of the day, and leaves a pause between two mails.",
  "An answer, a bounce, a complaint or an opt-out ends the sequence before the next mail.",
  "Whoever is suppressed is never written to, by any campaign.",
  "A campaign whose bounces or complaints pass its guard pauses by itself.",
  "A mailbox whose health falls too low rests, and comes back at half its pace.",
] as const;

export function SendingPage() {
  return (
    <SettingsPage title="Sending rules" about="What every mail carries, and what always holds">
      <div class="two">
        <TeamForm
          title="Under every mail"
          fields={["postal_address", "footer", "tracking_host"]}
          draftOf={(team) => ({
            address: team.postal_address ?? "",
            footer: team.footer,
            host: team.tracking_host ?? "",
          })}
          changeOf={({ address, footer, host }) => ({
            postal_address: address.trim() === "" ? null : address.trim(),
            footer,
            tracking_host: host.trim() === "" ? null : host.trim(),
          })}
        >
          {({ address, footer, host }, set, submission) => (
            <>
              <Field
                label="Postal address"
                name="postal_address"
                of={submission}
                hint="Many countries ask for one in every mail that sells"
              >
                {(attributes) => (
                  <textarea
                    {...attributes}
                    rows={3}
                    value={address}
                    onInput={({ currentTarget }) => set({ address: currentTarget.value })}
                  />
                )}
              </Field>
              <label class="choice">
                <input
                  type="checkbox"
                  checked={footer}
                  onChange={({ currentTarget }) => set({ footer: currentTarget.checked })}
                />
                Add address and opt-out where a mail has no unsubscribe link of its own
              </label>
              <TextField
                label="Host of tracked links"
                name="tracking_host"
                of={submission}
                hint="Empty: this installation's own. It has to lead here over https."
                placeholder="go.example.com"
                value={host}
                onInput={({ currentTarget }) => set({ host: currentTarget.value })}
              />
            </>
          )}
        </TeamForm>
        <Card title="What always holds">
          <ul class="bullets">
            {RULES.map((rule) => (
              <li key={rule}>{rule}</li>
            ))}
          </ul>
          <p class="quiet">
            Caps and pauses belong to <a href={to("accounts")}>mailboxes</a>, hours and guards to{" "}
            <a href={to("campaigns")}>campaigns</a>.
          </p>
        </Card>
      </div>
    </SettingsPage>
  );
}
