/**
 * `/team/members` and `/team/invitations`: who may sign in to the console for this team. People are the
 * same in both environments, so a session changes the live ones wherever it asks; a test key has a
 * sandbox of its own here too, in which nobody is let in.
 */

import { Elysia } from "elysia";
import { ADMIN_SCOPE, type Environments, resource } from "#api/context.ts";
import { withEtag } from "#api/etag.ts";
import { changes } from "#api/patch.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { envelope, PageQuery } from "#api/schema.ts";
import { present } from "#api/wire.ts";
import { create, patch, remove } from "#api/write.ts";
import { notFound } from "#domain/problem.ts";
import type { Caller, Environment } from "#environment.ts";
import { listMembers, type Member as Membership } from "#store/team/people.ts";
import { findInvitation, listInvitations } from "#store/team/sessions.ts";
import {
  changeRole,
  invite,
  removeMember,
  requireMember,
  withdraw,
} from "#usecases/team/members.ts";
import { recheckStreams } from "#usecases/team/sessions.ts";
import {
  Invitation,
  InvitationCreate,
  InvitationPage,
  InvitationParams,
  MadeInvitation,
  Member,
  MemberPage,
  MemberParams,
  MemberPatch,
} from "./people-schema.ts";

export function peopleRoutes(environments: Environments) {
  return new Elysia().use(memberRoutes(environments)).use(invitationRoutes(environments));
}

function environmentOf(
  { live }: Environments,
  { env, caller }: { env: Environment; caller: Caller },
): Environment {
  return caller.role === undefined ? env : live;
}

function memberRoutes(environments: Environments) {
  return resource("team", "/team/members")
    .get(
      "",
      (context) => {
        const query = readQuery(PageQuery, context.request);
        const { db } = environmentOf(environments, context);
        const { rows, total } = listMembers(db, context.caller.teamId, query);
        return envelope(rows.map(shown), total, query);
      },
      {
        response: { 200: MemberPage },
        detail: {
          summary: "List members",
          description: "Returns the members of the team.",
          ...queryOf(PageQuery),
        },
      },
    )
    .get(
      "/:id",
      (context) => {
        const { caller, params } = context;
        const member = requireMember(environmentOf(environments, context), caller, params.id);
        return withEtag(context, shown(member), MemberPatch);
      },
      {
        params: MemberParams,
        response: { 200: Member },
        detail: { summary: "Get a member", description: "Returns one member of the team." },
      },
    )
    .patch(
      "/:id",
      (context) => {
        const env = environmentOf(environments, context);
        const { caller, params, body } = context;
        return patch(
          { ...context, env },
          MemberPatch,
          () => shown(requireMember(env, caller, params.id)),
          ({ role }) => {
            recheckStreams([environments.live, environments.test], caller.teamId);
            return shown(changeRole(env, caller, params.id, body.role ?? role));
          },
        );
      },
      {
        ...changes(MemberPatch, Member),
        params: MemberParams,
        response: { 200: Member },
        detail: {
          summary: "Change a member's role",
          description:
            "Gives a member another role. Refused with 409 for the team's last owner; only an owner " +
            "can change owners.",
          ...ADMIN_SCOPE,
        },
      },
    )
    .delete(
      "/:id",
      (context) => {
        const env = environmentOf(environments, context);
        const { caller, params } = context;
        return remove({ ...context, env }, () => {
          recheckStreams([environments.live, environments.test], caller.teamId);
          removeMember(env, caller, params.id);
        });
      },
      {
        params: MemberParams,
        detail: {
          summary: "Remove a member",
          description:
            "Ends a member's access at once. The audit log keeps the member's name. Refused with 409 " +
            "for the team's last owner.",
          "x-errors": [409],
          ...ADMIN_SCOPE,
        },
      },
    );
}

function invitationRoutes(environments: Environments) {
  return resource("team", "/team/invitations")
    .get(
      "",
      (context) => {
        const query = readQuery(PageQuery, context.request);
        const { db } = environmentOf(environments, context);
        const { rows, total } = listInvitations(db, context.caller.teamId, query);
        return envelope(
          rows.map((row) => present(Invitation, row)),
          total,
          query,
        );
      },
      {
        response: { 200: InvitationPage },
        detail: {
          summary: "List invitations",
          description: "Returns the invitations that have not been accepted.",
          ...queryOf(PageQuery),
        },
      },
    )
    .get(
      "/:id",
      (context) => {
        const { caller, params } = context;
        const row = findInvitation(
          environmentOf(environments, context).db,
          caller.teamId,
          params.id,
        );
        if (row === undefined) {
          throw notFound("invitation");
        }
        return present(Invitation, row);
      },
      {
        params: InvitationParams,
        response: { 200: Invitation },
        detail: {
          summary: "Get an invitation",
          description: "Returns one invitation, without its link.",
        },
      },
    )
    .post(
      "",
      (context) => {
        const env = environmentOf(environments, context);
        const { caller, body } = context;
        return create(
          { ...context, env },
          () => {
            const { invitation, token } = invite(env, caller, body);
            const url = `${env.publicUrl ?? ""}/invitation#${token}`;
            return { url, ...present(Invitation, invitation) };
          },
          ({ id }) => `/team/invitations/${id}`,
        );
      },
      {
        body: InvitationCreate,
        response: { 201: MadeInvitation },
        detail: {
          summary: "Create an invitation",
          description:
            "Returns a link that works once, for a week, and replaces an earlier one for the same " +
            "address. No email is sent: hand the link on yourself.",
          ...ADMIN_SCOPE,
        },
      },
    )
    .delete(
      "/:id",
      (context) => {
        const env = environmentOf(environments, context);
        const { caller, params } = context;
        return remove({ ...context, env }, () => withdraw(env, caller, params.id));
      },
      {
        params: InvitationParams,
        detail: {
          summary: "Delete an invitation",
          description: "Withdraws an invitation; its link no longer works.",
          ...ADMIN_SCOPE,
        },
      },
    );
}

function shown({ user, membership }: Membership) {
  return present(Member, { ...user, ...membership, id: user.id });
}
