/**
 * What a person may do in a team. A role stands for scopes, the same as an API key has, so that one
 * check serves both doors.
 *
 * Source: ours. An admin differs from an owner in that an owner cannot be removed or demoted by one.
 */

import { holds, OPERATOR_SCOPE, SCOPE_RESOURCES } from "./api-key.ts";

export const ROLES = ["owner", "admin", "member", "viewer"] as const;
export type Role = (typeof ROLES)[number];

const ROLE_SCOPES: Readonly<Record<Role, readonly string[]>> = {
  owner: ["admin"],
  admin: ["admin"],
  member: ["write", "audit:read"],
  viewer: ["read"],
};

/** Scopes of somebody's session: of the role, and of the installation's operator where it may use them. */
export function scopesOf(role: Role, operator: boolean): readonly string[] {
  const own = ROLE_SCOPES[role];
  return operator && own.includes("admin") ? [...own, OPERATOR_SCOPE] : own;
}

/** Every single scope that `scopes` open, for a page to ask of without knowing what includes what. */
export function spelledOut(scopes: readonly string[]): string[] {
  const each = SCOPE_RESOURCES.flatMap((name) => [`${name}:read`, `${name}:write`]);
  const broad = ["admin", OPERATOR_SCOPE].filter((name) => scopes.includes(name));
  return [...each.filter((scope) => holds(scopes, scope)), ...broad];
}

/** Whether somebody with `own` may give, change or take `role`; null stands for a key or the operator. */
export function mayManage(own: Role | null, role: Role): boolean {
  return own === null || own === "owner" || (own === "admin" && role !== "owner");
}
