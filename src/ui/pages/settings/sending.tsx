/** What is printed under every email, where tracked links lead, and the rules that nobody can turn off. */

import { LANGUAGES } from "#domain/sending/languages.ts";
import { to } from "../../lib/route.ts";
import { Field, TextField } from "../../parts/form/form.tsx";
import { Card, Page } from "../../parts/page.tsx";
import { TeamForm } from "./team-form.tsx";

const RULES = [
  "Leads are emailed only during the campaign’s sending hours, in their own time zone if it’s known.",
  "A mailbox never exceeds its daily limit and leaves a gap between emails.",
  "A reply, bounce, complaint, or opt-out ends the sequence before the next email.",
  "No campaign emails a suppressed address.",
  "A campaign pauses automatically when its bounces or complaints pass the limit.",
  "A mailbox whose health falls too low pauses, then comes back at half its limits.",
] as const;

const NAMES = new Intl.DisplayNames(["en"], { type: "language" });

export function SendingPage() {
  return (
    <Page title="Sending rules" about="What every email includes, and rules no one can turn off">
      <div class="two">
        <BelowEmails />
        <Card title="Rules that always apply">
          <ul class="bullets">
            {RULES.map((rule) => (
              <li key={rule}>{rule}</li>
            ))}
          </ul>
          <p class="quiet">
            Set limits and gaps for each of your <a href={to("accounts")}>mailboxes</a>, and sending
            hours for each of your <a href={to("campaigns")}>campaigns</a>.
          </p>
        </Card>
      </div>
    </Page>
  );
}

function BelowEmails() {
  return (
    <TeamForm
      title="Below every email"
      fields={["postal_address", "footer", "unsubscribe_text", "language", "tracking_host"]}
      draftOf={(team) => ({
        address: team.postal_address ?? "",
        footer: team.footer,
        wording: team.unsubscribe_text ?? "",
        language: team.language,
        host: team.tracking_host ?? "",
      })}
      changeOf={({ address, footer, wording, language, host }) => ({
        postal_address: address.trim() === "" ? null : address.trim(),
        footer,
        unsubscribe_text: wording.trim() === "" ? null : wording.trim(),
        language,
        tracking_host: host.trim() === "" ? null : host.trim(),
      })}
    >
      {({ address, footer, wording, language, host }, set, submission) => (
        <>
          <Field
            label="Postal address"
            name="postal_address"
            of={submission}
            hint="Many countries require one in commercial email"
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
            Add the address and an opt-out to emails without their own unsubscribe link
          </label>
          <TextField
            label="Unsubscribe link"
            name="unsubscribe_text"
            of={submission}
            hint="Leave empty for “Unsubscribe” in the recipient’s language. Your own text is never translated."
            maxLength={200}
            value={wording}
            onInput={({ currentTarget }) => set({ wording: currentTarget.value })}
          />
          <Field
            label="Language"
            name="language"
            of={submission}
            hint="For recipients whose language isn’t known from their variable “language” or their address"
          >
            {(attributes) => (
              <select
                {...attributes}
                value={language}
                onChange={({ currentTarget }) =>
                  set({
                    language: LANGUAGES.find((one) => one === currentTarget.value) ?? language,
                  })
                }
              >
                {LANGUAGES.map((one) => (
                  <option key={one} value={one}>
                    {NAMES.of(one)}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <TextField
            label="Tracking host"
            name="tracking_host"
            of={submission}
            hint="Leave empty to use this server’s own. It must point here over https."
            placeholder="go.example.com"
            value={host}
            onInput={({ currentTarget }) => set({ host: currentTarget.value })}
          />
        </>
      )}
    </TeamForm>
  );
}
