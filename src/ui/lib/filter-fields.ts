/** Fields that lists can be filtered by, for completion: a test compares them with those of the server. */

export const FILTER_FIELDS = {
  campaigns: [
    ...["name", "notes", "status", "created", "tag", "started", "leads", "sent", "replied"],
    "bounced",
  ],
  mailboxes: ["email", "name", "status", "provider", "health", "daily_limit", "created", "tag"],
  leads: [
    ...["email", "first_name", "last_name", "company", "website", "tag", "verdict"],
    ...[
      "address_reason",
      "variables.",
      "created",
      "campaign",
      "status",
      "interest",
      "enrolled",
      "last_sent",
    ],
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;
