/** Where a new mailbox is, as tiles, and what has to be done there before it can be added. */

import type { Signal } from "@preact/signals";
import { CopyButton } from "../../parts/copy.tsx";

/** What the API calls it is beside: two ways lead to Google. */
export const PLACES = {
  gmail: { provider: "smtp", name: "Gmail", about: "One mailbox, in two minutes" },
  google: { provider: "google", name: "Google Workspace", about: "With an app that you register" },
  microsoft: {
    provider: "microsoft",
    name: "Microsoft 365",
    about: "With an app that you register",
  },
  smtp: { provider: "smtp", name: "Other server", about: "By SMTP and IMAP" },
} as const;
export type Place = keyof typeof PLACES;

export function ProviderTiles({ place }: { place: Signal<Place> }) {
  return (
    <fieldset class="provider-tiles">
      <legend class="label">Where is the mailbox?</legend>
      {Object.entries(PLACES).map(([value, { name, about }]) => (
        <label key={value} data-on={place.value === value || undefined}>
          <input
            type="radio"
            name="place"
            value={value}
            checked={place.value === value}
            onChange={() => {
              place.value = value as Place;
            }}
          />
          <strong>{name}</strong>
          <span class="small quiet">{about}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** Names of pages and buttons are the providers' own. */
export function Steps({ place }: { place: Place }) {
  switch (place) {
    case "gmail":
      return (
        <ol class="provider-steps small">
          <li>
            In your Google Account, open <b>Security</b> and turn on <b>2-Step Verification</b>.
          </li>
          <li>
            Open <b>App passwords</b>, enter a name such as Outrider, and select <b>Create</b>.
          </li>
          <li>Enter the 16 letters below as the password. Spaces don’t matter.</li>
        </ol>
      );
    case "google":
      return (
        <ol class="provider-steps small">
          <li>
            In the Google Cloud console, create a project. Under <b>OAuth consent screen</b>, select{" "}
            <b>Internal</b> for your own Workspace.
          </li>
          <li>
            Under <b>Credentials</b>, create an <b>OAuth client ID</b> of the type{" "}
            <b>Web application</b> with this redirect URI: <Redirect provider="google" />
          </li>
          <li>Enter its client ID and client secret below, then sign in as the mailbox.</li>
        </ol>
      );
    case "microsoft":
      return (
        <ol class="provider-steps small">
          <li>
            In the Microsoft Entra admin center, open <b>App registrations</b> and select{" "}
            <b>New registration</b> with this redirect URI for the <b>Web</b> platform:{" "}
            <Redirect provider="microsoft" />
          </li>
          <li>
            Under <b>API permissions</b>, add <b>SMTP.Send</b> and <b>IMAP.AccessAsUser.All</b>. In
            the Exchange admin center, allow <b>Authenticated SMTP</b> for the mailbox.
          </li>
          <li>
            Under <b>Certificates &amp; secrets</b>, create a client secret. Enter it and the
            application ID below, then sign in as the mailbox.
          </li>
        </ol>
      );
    default:
      return null;
  }
}

/** Where the provider sends people back to: this server, if it is open under the public URL. */
function Redirect({ provider }: { provider: string }) {
  const uri = `${location.origin}/oauth/${provider}/callback`;
  return (
    <span class="redirect-uri">
      <code>{uri}</code> <CopyButton text={uri} />
    </span>
  );
}
