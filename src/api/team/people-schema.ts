import { Type } from "@sinclair/typebox";
import {
  CreatedAt,
  Documented,
  IdOf,
  IdParamsOf,
  Line,
  Nullable,
  OneOf,
  Page,
  Shape,
  TeamId,
  TimestampOf,
} from "#api/schema.ts";
import { ROLES } from "#domain/team/role.ts";

const ADDRESS = "ann@example.com";

export const MemberParams = IdParamsOf("The member's id");
export const InvitationParams = IdParamsOf("The invitation's id");

const Role = OneOf(ROLES, {
  description:
    "`owner` and `admin` may do everything, except that admins cannot change owners; `member` may do " +
    "everything but keys, billing and people; `viewer` may only read",
});

export const Member = Shape({
  id: IdOf("The member's id"),
  team_id: TeamId,
  name: Type.String({ description: "Name", examples: ["Ann Lee"] }),
  email: Type.String({ description: "Address to sign in with", examples: [ADDRESS] }),
  role: Role,
  operator: Type.Boolean({
    description: "Whether the member also runs the installation: its backups and its state",
  }),
  created_at: TimestampOf("When the member joined"),
  signed_in_at: Nullable(TimestampOf("When the member last signed in; null before")),
});
export const MemberPage = Page(Member);

export const MemberPatch = Type.Partial(Shape({ role: Role }));

const invitation = {
  id: IdOf("The invitation's id"),
  team_id: TeamId,
  email: Type.String({ description: "Address that is invited", examples: [ADDRESS] }),
  role: Role,
  invited_by: Type.String({
    description: "Who sent the invitation, as in the audit log",
    examples: ["user:01952c6a-4000-7000-8000-000000000100"],
  }),
  created_at: CreatedAt,
  expires_at: TimestampOf("When the link expires"),
};

export const Invitation = Shape(invitation);
export const InvitationPage = Page(Invitation);

/** Only the answer that made an invitation holds its link. */
export const MadeInvitation = Shape({
  url: Type.String({
    description:
      "Link for the invited person; it works once and is shown only now. Without `public_url`, the path on this server",
    examples: ["https://outrider.example/invitation#…"],
  }),
  ...invitation,
});

export const InvitationCreate = Shape({
  email: Documented(Line(254, { description: "Address to invite", examples: [ADDRESS] }), {
    format: "email",
  }),
  role: Role,
});
