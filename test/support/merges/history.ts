/** What happened to people whose leads were merged, and what of it must never happen. */

export type Happening =
  /** Leads with these addresses are one person from here on. */
  | { kind: "merged"; addresses: readonly string[] }
  | { kind: "delivered"; to: string; campaign: string; step: string }
  /** Sequences of a campaign that go on, to whoever has the address now. */
  | { kind: "open"; to: string; campaign: string; sequences: number }
  /** At an address, or at all of `@domain`. */
  | { kind: "refused"; at: string; cause: string }
  /** In a campaign that a reply ends. */
  | { kind: "replied"; at: string; campaign: string; cause: string }
  /** The occurrence turned out to be none. */
  | { kind: "undone"; cause: string }
  /** The address or domain may be written to again. */
  | { kind: "lifted"; at: string };

type Of<Kind extends Happening["kind"]> = Extract<Happening, { kind: Kind }>;

/**
 * Violations: two sequences of a campaign to one person, a step that came to them twice, and an email after they had
 * refused or replied.
 */
export function judge(history: readonly Happening[]): string[] {
  const people = new Map<string, Set<string>>();
  let delivered: Of<"delivered">[] = [];
  let refusals: Of<"refused">[] = [];
  let replies: Of<"replied">[] = [];
  const found: string[] = [];
  const personAt = (address: string) => people.get(address) ?? new Set([address]);
  for (const one of history) {
    switch (one.kind) {
      case "merged":
        unite(people, one.addresses.map(personAt));
        break;
      case "delivered":
        found.push(...wrongIn(one, [...personAt(one.to)], { delivered, refusals, replies }));
        delivered = [...delivered, one];
        break;
      case "open":
        if (one.sequences > 1) {
          found.push(`${one.sequences} sequences of ${one.campaign} go on to ${one.to}`);
        }
        break;
      case "refused":
        refusals = [...refusals, one];
        break;
      case "replied":
        replies = [...replies, one];
        break;
      case "undone":
        refusals = refusals.filter(({ cause }) => cause !== one.cause);
        replies = replies.filter(({ cause }) => cause !== one.cause);
        break;
      case "lifted":
        refusals = refusals.filter(({ at }) => at !== one.at);
        break;
    }
  }
  return found;
}

function unite(people: Map<string, Set<string>>, parts: readonly Set<string>[]): void {
  const person = new Set(parts.flatMap((part) => [...part]));
  for (const address of person) {
    people.set(address, person);
  }
}

function wrongIn(
  { to, campaign, step }: Of<"delivered">,
  person: readonly string[],
  before: {
    delivered: readonly Of<"delivered">[];
    refusals: readonly Of<"refused">[];
    replies: readonly Of<"replied">[];
  },
): string[] {
  const what = `${step} of ${campaign} to ${to}`;
  const earlier = before.delivered.find(
    (one) => one.campaign === campaign && one.step === step && person.includes(one.to),
  );
  const refusal = before.refusals.find(({ at }) => person.some((address) => address.endsWith(at)));
  const reply = before.replies.find((one) => one.campaign === campaign && person.includes(one.at));
  return [
    ...(earlier === undefined ? [] : [`${what}: it had come to ${earlier.to}`]),
    ...(refusal === undefined ? [] : [`${what}: refused at ${refusal.at}`]),
    ...(reply === undefined ? [] : [`${what}: replied from ${reply.at}`]),
  ];
}
