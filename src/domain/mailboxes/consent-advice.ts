/**
 * What to click where a provider refuses a consent, or a token by one. The provider's words are looked at, since its
 * codes alone say too little.
 *
 * Source: Google, "Using OAuth 2.0 for Web Server Applications" and "… for Server to Server Applications" (their
 * tables of errors); Microsoft, "Microsoft Entra authentication and authorization error codes".
 */

export interface ConsentAdvice {
  /** What it is about, for tests. */
  about: string;
  remedy: string;
}

interface Rule extends ConsentAdvice {
  words: RegExp;
}

/** The first that matches counts: codes with a number come before words that many errors share. */
const RULES: readonly Rule[] = [
  {
    about: "redirect",
    words: /redirect_uri_mismatch|AADSTS(50011|500113|900971)\b/i,
    remedy:
      "Register the redirect URI with the OAuth client, exactly as Outrider shows it. Google Cloud console: Google Auth Platform, Clients, the client, Authorized redirect URIs. Microsoft Entra: App registrations, the application, Authentication, platform Web.",
  },
  {
    about: "declined",
    words: /AADSTS65004\b/i,
    remedy: "Open the link again, and accept.",
  },
  {
    about: "admin_consent",
    words: /AADSTS(65001|90094|90008|90093|650056|650057|65005)\b|consent_required/i,
    remedy:
      "An administrator has to agree. Microsoft Entra: App registrations, the application, API permissions; add what is missing, then Grant admin consent.",
  },
  {
    about: "service_principal",
    words: /AADSTS7000229\b/i,
    remedy:
      "The application isn't installed in this tenant yet: open the consent page as an administrator, and accept.",
  },
  {
    about: "unknown_application",
    words: /AADSTS(700016|70001|7000112)\b/i,
    remedy:
      "Check the client id and the tenant. If both are right, open the consent page as an administrator of that tenant, and accept.",
  },
  {
    about: "secret",
    words: /AADSTS(7000215|7000222|7000218|7000216)\b|unauthorized client secret/i,
    remedy:
      "Create a new client secret (Microsoft Entra: App registrations, the application, Certificates & secrets) and set its value here, not its id. Secrets expire.",
  },
  {
    about: "tenant",
    words: /AADSTS(90002|900023|50059|90013)\b/i,
    remedy: "Set the tenant to its id, or to a domain that is verified in it.",
  },
  {
    about: "single_tenant",
    words: /AADSTS(50194|50020|700054|500200)\b/i,
    remedy:
      "Sign in with an account of the application's own tenant, or have the application accept accounts of other organizations (App registrations, the application, Authentication, Supported account types).",
  },
  {
    about: "conditional_access",
    words: /AADSTS(53003|53000|53001|530\d{2,3}|50076|50079|50158|50005)\b/i,
    remedy:
      "A Conditional Access policy blocks it. Have an administrator exclude the application from the policy, or sign in again and complete what it asks for.",
  },
  {
    about: "not_assigned",
    words: /AADSTS50105\b/i,
    remedy:
      "Assign the user to the application (Enterprise applications, the application, Users and groups), or turn off Assignment required.",
  },
  {
    about: "exchange",
    words: /AADSTS500011\b/i,
    remedy: "The tenant has no Exchange Online. Check that it's the right one, and its licenses.",
  },
  {
    about: "app_control",
    words: /admin_policy_enforced|domainPolicy/i,
    remedy:
      "An administrator has to trust the OAuth client. Google Admin console: Security, Access and data control, API controls, Manage app access, Configure new app, the client id, Trusted.",
  },
  {
    about: "internal",
    words: /org_internal/i,
    remedy:
      "The OAuth client is for its own organization. Sign in with an address of that organization, or set User type to External (Google Auth Platform, Audience).",
  },
  {
    about: "testing",
    words: /verification process|being tested|approved testers/i,
    remedy:
      "The Google project is in Testing. Add the address as a test user, or publish the app (Google Auth Platform, Audience).",
  },
  {
    about: "delegation",
    words:
      /unauthorized to retrieve access tokens|requested client not authorized|unauthorized client or scope/i,
    remedy:
      "Google Admin console: Security, Access and data control, API controls, Domain-wide delegation; add the service account's client id with the scope https://mail.google.com/.",
  },
  {
    about: "clock",
    words: /reasonable timeframe/i,
    remedy: "Set the clock of the machine that Outrider runs on.",
  },
  {
    about: "mailbox",
    words: /invalid e-?mail|not a valid e-?mail|impersonation/i,
    remedy:
      "Check the address: it must be a user's own, not an alias or a group, and the user must be active.",
  },
  {
    about: "key",
    words: /JWT signature|account not found/i,
    remedy:
      "The key was deleted, or its service account. Create a new key (Google Cloud console: IAM & Admin, Service accounts, Keys) and set it.",
  },
  {
    about: "scope",
    words: /invalid_scope|AADSTS(70011|1002012|28002|28003)\b/i,
    remedy:
      "Add the scope that Outrider shows to the OAuth client (Google Auth Platform, Data access; Microsoft Entra: API permissions).",
  },
  {
    about: "roles",
    words: /the consent lacks/i,
    remedy:
      "Add IMAP.AccessAsApp and SMTP.SendAsApp as application permissions of Office 365 Exchange Online (App registrations, the application, API permissions), then Grant admin consent.",
  },
  {
    about: "client",
    words:
      /(deleted|disabled)_client|OAuth client was (not found|deleted|disabled)|invalid_client/i,
    remedy: "Check the client id and its secret, and that the client still exists.",
  },
  {
    about: "declined",
    words: /^access_denied\b/i,
    remedy: "Open the link again, and accept.",
  },
];

/** Null where nothing better than the provider's own words is known. */
export function adviseConsent(words: string): ConsentAdvice | null {
  const rule = RULES.find((one) => one.words.test(words));
  return rule === undefined ? null : { about: rule.about, remedy: rule.remedy };
}

export function remedyForGrant(words: string): string | null {
  return adviseConsent(words)?.remedy ?? null;
}
