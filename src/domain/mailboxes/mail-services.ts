/** Services that send email for others: their servers' names, and what SPF must include to let them. */

/** Source: the services' set-up pages. */
const SERVICES: readonly (readonly [name: string, include: string, ...hosts: string[]])[] = [
  ["Google", "_spf.google.com", "gmail.com", "google.com"],
  ["Microsoft", "spf.protection.outlook.com", "office365.com", "outlook.com"],
  ["Zoho", "zohomail.com", "zoho.com", "zohomail.com"],
  ["Zoho", "zohomail.eu", "zoho.eu", "zohomail.eu"],
  ["Fastmail", "spf.messagingengine.com", "fastmail.com", "messagingengine.com"],
  ["Migadu", "spf.migadu.com", "migadu.com"],
  ["Amazon SES", "amazonses.com", "amazonses.com"],
  ["SendGrid", "sendgrid.net", "sendgrid.net"],
  ["Mailgun", "mailgun.org", "mailgun.net", "mailgun.org"],
  ["Mailchimp", "servers.mcsv.net", "mcsv.net", "mcdlv.net", "rsgsv.net"],
  ["Mandrill", "spf.mandrillapp.com", "mandrillapp.com"],
  ["Postmark", "spf.mtasv.net", "mtasv.net"],
  ["SparkPost", "sparkpostmail.com", "sparkpostmail.com"],
  ["Mailjet", "spf.mailjet.com", "mailjet.com"],
  ["Zendesk", "mail.zendesk.com", "zendesk.com"],
  ["Salesforce", "_spf.salesforce.com", "salesforce.com"],
];

export interface MailService {
  name: string;
  /** For `include:` in SPF. */
  include: string;
}

/** Null: none that we know. */
export function serviceOf(host: string): MailService | null {
  const found = SERVICES.find(([, , ...hosts]) =>
    hosts.some((suffix) => host === suffix || host.endsWith(`.${suffix}`)),
  );
  return found === undefined ? null : { name: found[0], include: found[1] };
}
