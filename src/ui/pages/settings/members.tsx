/** Who may sign in for this team, with which role, and who has been invited. */

import { useSignal } from "@preact/signals";
import { mayManage, ROLES } from "#domain/team/role.ts";
import { api } from "../../lib/api.ts";
import { useData } from "../../lib/data.ts";
import { words } from "../../lib/format.ts";
import { can, session } from "../../lib/session.ts";
import { Act } from "../../parts/act.tsx";
import { Button } from "../../parts/button.tsx";
import { OnceDialog } from "../../parts/copy.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import {
  bound,
  Form,
  FormActions,
  FormFault,
  TextField,
  useSubmission,
} from "../../parts/form/form.tsx";
import { Card, Loaded, Page, Pill } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";
import { told } from "../../parts/toasts.tsx";
import { When } from "../../parts/when.tsx";

type Role = (typeof ROLES)[number];

/** Roles that the reader may give and take. */
function rolesInReach(): Role[] {
  const own = session.value?.user.role;
  return ROLES.filter((role) => can("admin") && mayManage(own === "owner" ? own : "admin", role));
}

const ROLE_NOTES: Readonly<Record<Role, string>> = {
  owner: "Full access, including managing owners",
  admin: "Full access, except managing owners",
  member: "Works with campaigns; no API keys, billing, or members",
  viewer: "Read only",
};

interface Member {
  id: string;
  name: string;
  email: string;
  role: Role;
  signed_in_at: string | null;
}

type Run = (what: () => Promise<unknown>, done: string) => Promise<void>;

export function MembersPage() {
  const members = useData(() => api().listTeamMembers({ limit: 100 }));
  const invitations = useData(() => api().listTeamInvitations({ limit: 100 }));
  const isInviting = useSignal(false);
  const run: Run = async (what, done) => {
    await told(what(), done);
    members.reload();
    invitations.reload();
  };
  return (
    <Page
      title="Members"
      about="Who can sign in to this team. The same in live and sandbox."
      actions={
        can("admin") && (
          <Button look="primary" onClick={() => (isInviting.value = true)}>
            Invite member
          </Button>
        )
      }
    >
      <div class="stack">
        <Card title="Members" flush>
          <Loaded data={members}>{({ data }) => <People of={data} run={run} />}</Loaded>
        </Card>
        <Card title="Pending invitations" flush>
          <Loaded data={invitations}>{({ data }) => <Invited of={data} run={run} />}</Loaded>
        </Card>
      </div>
      {isInviting.value && (
        <Invite onMade={() => invitations.reload()} onClose={() => (isInviting.value = false)} />
      )}
    </Page>
  );
}

function People({ of, run }: { of: readonly Member[]; run: Run }) {
  const owners = of.filter(({ role }) => role === "owner").length;
  const inReach = rolesInReach();
  /** A team keeps its last owner. */
  const mayChange = ({ role }: Member) =>
    inReach.includes(role) && (role !== "owner" || owners > 1);
  const nameOf = ({ name, email }: Member) => name || email;
  const choose = (member: Member, role: Role) =>
    run(
      () => api().patchTeamMember({ id: member.id, body: { role } }),
      `${nameOf(member)} is now ${words(role).toLowerCase()}`,
    );
  const remove = (member: Member) =>
    run(() => api().deleteTeamMember({ id: member.id }), `${nameOf(member)} removed from the team`);
  return (
    <Table
      label="Members"
      rows={of}
      columns={[
        {
          title: "Name",
          cell: (member) => (
            <span class="name-line">
              <strong class="plain-strong">{nameOf(member)}</strong>
              {member.id === session.value?.user.id && <Pill tone="brand">You</Pill>}
            </span>
          ),
        },
        { title: "Email", cell: ({ email }) => email },
        {
          title: "Role",
          cell: (member) => (
            <RoleChoice
              member={member}
              roles={mayChange(member) ? inReach : []}
              onChoose={(role) => choose(member, role)}
            />
          ),
        },
        {
          title: "Last signed in",
          cell: ({ signed_in_at }) =>
            signed_in_at === null ? "Never" : <When at={signed_in_at} isWall />,
        },
        {
          title: "Actions",
          cell: (member) =>
            mayChange(member) && (
              <div class="row-actions">
                <Act
                  label={
                    <>
                      Remove<span class="unseen"> {nameOf(member)}</span>
                    </>
                  }
                  look="plain compact danger"
                  run={() => remove(member)}
                  asks={{ title: `Remove ${nameOf(member)}?`, action: "Remove from team" }}
                >
                  They’re signed out right away. The activity log keeps their name next to what they
                  did.
                </Act>
              </div>
            ),
        },
      ]}
    />
  );
}

interface Invitation {
  id: string;
  email: string;
  role: Role;
  expires_at: string;
}

function Invited({ of, run }: { of: readonly Invitation[]; run: Run }) {
  const inReach = rolesInReach();
  if (of.length === 0) {
    return <p class="quiet card-text">No pending invitations.</p>;
  }
  return (
    <Table
      label="Invitations"
      rows={of}
      columns={[
        { title: "Email", cell: ({ email }) => email },
        { title: "Role", cell: ({ role }) => words(role) },
        { title: "Expires", cell: ({ expires_at }) => <When at={expires_at} isWall /> },
        {
          title: "Actions",
          cell: ({ id, email, role }) =>
            inReach.includes(role) && (
              <div class="row-actions">
                <Act
                  label={
                    <>
                      Withdraw<span class="unseen"> invitation for {email}</span>
                    </>
                  }
                  look="plain compact danger"
                  run={() =>
                    run(
                      () => api().deleteTeamInvitation({ id }),
                      `Invitation for ${email} withdrawn`,
                    )
                  }
                  asks={{
                    title: `Withdraw the invitation for ${email}?`,
                    action: "Withdraw invitation",
                    cancel: "Keep invitation",
                  }}
                >
                  The link you sent stops working. You can invite them again.
                </Act>
              </div>
            ),
        },
      ]}
    />
  );
}

function RoleChoice(props: {
  member: Member;
  /** Empty: it stays. */
  roles: readonly Role[];
  onChoose: (role: Role) => void;
}) {
  const { member, roles, onChoose } = props;
  if (roles.length === 0) {
    return <>{words(member.role)}</>;
  }
  return (
    <select
      class="input narrow"
      aria-label={`Role of ${member.name || member.email}`}
      value={member.role}
      onChange={({ currentTarget }) => {
        const role = roles.find((each) => each === currentTarget.value);
        currentTarget.value = member.role;
        if (role !== undefined) {
          onChoose(role);
        }
      }}
    >
      {roles.map((role) => (
        <option key={role} value={role}>
          {words(role)}
        </option>
      ))}
    </select>
  );
}

function Invite({ onMade, onClose }: { onMade: () => void; onClose: () => void }) {
  const submission = useSubmission();
  const email = useSignal("");
  const role = useSignal<Role>("member");
  const link = useSignal<string | undefined>(undefined);
  if (link.value !== undefined) {
    return (
      <OnceDialog
        title={`Send this link to ${email.value.trim()}`}
        label="Invitation link"
        value={link.value}
        onClose={onClose}
      >
        It works once, expires in a week, and won’t be shown again. Outrider hasn’t sent it to them.
      </OnceDialog>
    );
  }
  return (
    <Dialog title="Invite member" onClose={onClose}>
      <Form
        onSend={() =>
          submission.submit(async () => {
            const body = { email: email.value.trim(), role: role.value };
            const { url } = await api().createTeamInvitation({ body });
            link.value = new URL(url, location.href).href;
            onMade();
          })
        }
      >
        <TextField
          label="Email"
          name="email"
          of={submission}
          required
          type="email"
          autocomplete="off"
          {...bound(email)}
        />
        <fieldset class="choices">
          <legend>Role</legend>
          {rolesInReach()
            .toReversed()
            .map((each) => (
              <label key={each}>
                <input
                  type="radio"
                  name="role"
                  checked={role.value === each}
                  onChange={() => {
                    role.value = each;
                  }}
                />
                <span>
                  {words(each)}
                  <small>{ROLE_NOTES[each]}</small>
                </span>
              </label>
            ))}
        </fieldset>
        <FormFault of={submission} fields={["email"]} />
        <FormActions of={submission} action="Create invitation link" onClose={onClose} />
      </Form>
    </Dialog>
  );
}
