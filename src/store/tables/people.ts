/** People: who may sign in, to which teams they belong, and where they are signed in. Live file only. */

import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Role } from "#domain/team/role.ts";
import { bytes, flag, instant, uuid } from "#store/sqlite/columns.ts";
import { teams } from "./teams.ts";

export const users = sqliteTable(
  "users",
  {
    id: uuid("id").primaryKey(),
    /** As `parseAddress` writes it. */
    email: text("email").notNull(),
    name: text("name").notNull(),
    /** Argon2id in PHC form; null: signs in by other means. */
    passwordHash: text("password_hash"),
    /** Sees the whole installation, not only a team. */
    operator: flag("operator").notNull(),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
    signedInAt: instant("signed_in_at"),
  },
  (table) => [uniqueIndex("users_email").on(table.email)],
);
export type UserRow = typeof users.$inferSelect;

export const memberships = sqliteTable(
  "memberships",
  {
    id: uuid("id").primaryKey(),
    teamId: uuid("team_id")
      .notNull()
      .references(() => teams.id),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    role: text("role").$type<Role>().notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    uniqueIndex("memberships_team").on(table.teamId, table.userId),
    index("memberships_user").on(table.userId, table.id),
  ],
);
export type MembershipRow = typeof memberships.$inferSelect;

/** Members who are told by email what waits in the team's inbox. */
export const digests = sqliteTable(
  "digests",
  {
    /** The membership's. */
    id: uuid("id")
      .primaryKey()
      .references(() => memberships.id, { onDelete: "cascade" }),
    /** The mailbox that writes to them. */
    accountId: uuid("account_id").notNull(),
    /** Local hour, 0 to 23. */
    hour: integer("hour").notNull(),
    timezone: text("timezone").notNull(),
    dueAt: instant("due_at").notNull(),
  },
  (table) => [index("digests_due").on(table.dueAt)],
);
export type DigestRow = typeof digests.$inferSelect;

/** How somebody is known to an OpenID provider. */
export const identities = sqliteTable(
  "identities",
  {
    id: uuid("id").primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    issuer: text("issuer").notNull(),
    subject: text("subject").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    uniqueIndex("identities_subject").on(table.issuer, table.subject),
    index("identities_user").on(table.userId),
  ],
);
export type IdentityRow = typeof identities.$inferSelect;

/** Keys of devices that somebody signs in with; what is here is public. */
export const passkeys = sqliteTable(
  "passkeys",
  {
    id: uuid("id").primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    /** As its owner calls the device. */
    name: text("name").notNull(),
    /** base64url. */
    credentialId: text("credential_id").notNull(),
    /** COSE. */
    publicKey: bytes("public_key").notNull(),
    counter: integer("counter").notNull(),
    createdAt: instant("created_at").notNull(),
    usedAt: instant("used_at"),
  },
  (table) => [
    uniqueIndex("passkeys_credential").on(table.credentialId),
    index("passkeys_user").on(table.userId, table.id),
  ],
);
export type PasskeyRow = typeof passkeys.$inferSelect;

export const sessions = sqliteTable(
  "sessions",
  {
    id: uuid("id").primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    /** The team on show. */
    showsTeam: uuid("shows_team").notNull(),
    /** SHA-256 of the cookie; the cookie itself is nowhere. */
    hash: bytes("hash").notNull(),
    userAgent: text("user_agent").notNull(),
    createdAt: instant("created_at").notNull(),
    /** Written now and then, not at each request. */
    seenAt: instant("seen_at").notNull(),
    /** Moves on with `seenAt`, up to a bound. */
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [
    uniqueIndex("sessions_hash").on(table.hash),
    index("sessions_user").on(table.userId, table.id),
    index("sessions_age").on(table.expiresAt),
  ],
);
export type SessionRow = typeof sessions.$inferSelect;

/** Invitations that wait to be accepted; gone once they are. */
export const invitations = sqliteTable(
  "invitations",
  {
    id: uuid("id").primaryKey(),
    teamId: uuid("team_id")
      .notNull()
      .references(() => teams.id),
    email: text("email").notNull(),
    role: text("role").$type<Role>().notNull(),
    /** SHA-256 of the word in the link. */
    hash: bytes("hash").notNull(),
    /** `user:<id>`, `key:<id>` or `operator`. */
    invitedBy: text("invited_by").notNull(),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [
    uniqueIndex("invitations_hash").on(table.hash),
    uniqueIndex("invitations_email").on(table.teamId, table.email),
    index("invitations_age").on(table.expiresAt),
  ],
);
export type InvitationRow = typeof invitations.$inferSelect;

/** Links that open the console once: for the first person, or for one who cannot sign in. */
export const signInLinks = sqliteTable(
  "entry_links",
  {
    id: uuid("id").primaryKey(),
    /** SHA-256 of the word in the link. */
    hash: bytes("hash").notNull(),
    /** Whom it lets in; null: it makes the first person. */
    forUser: uuid("for_user"),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [
    uniqueIndex("entry_links_hash").on(table.hash),
    index("entry_links_age").on(table.expiresAt),
  ],
);
export type SignInLinkRow = typeof signInLinks.$inferSelect;
