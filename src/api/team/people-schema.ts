import { Type } from "@sinclair/typebox";
import { Documented, Id, Line, Nullable, OneOf, Page, Shape, Timestamp } from "#api/schema.ts";
import { ROLES } from "#domain/team/role.ts";

const Role = OneOf(ROLES, {
  description:
    "`owner` and `admin` may do everything, an admin may not touch owners; `member` works, without " +
    "keys, billing and people; `viewer` reads",
});

export const Member = Shape({
  id: Id,
  team_id: Id,
  name: Type.String(),
  email: Type.String(),
  role: Role,
  operator: Type.Boolean({ description: "Also sees to the installation: backups, its state" }),
  created_at: Timestamp,
  signed_in_at: Nullable(Timestamp),
});
export const MemberPage = Page(Member);

export const MemberPatch = Type.Partial(Shape({ role: Role }));

const invitation = {
  id: Id,
  team_id: Id,
  email: Type.String(),
  role: Role,
  invited_by: Type.String({ description: "As the audit log names who did something" }),
  created_at: Timestamp,
  expires_at: Timestamp,
};

export const Invitation = Shape(invitation);
export const InvitationPage = Page(Invitation);

/** Only the answer that made an invitation holds its link. */
export const MadeInvitation = Shape({
  url: Type.String({
    description: "For the one who is invited; works once, and is shown this once",
  }),
  ...invitation,
});

export const InvitationCreate = Shape({
  email: Documented(Line(254), { format: "email" }),
  role: Role,
});
