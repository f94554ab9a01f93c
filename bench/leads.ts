/** Invented people, in an order that has nothing to do with that of their addresses. */

export interface Lead {
  email: string;
  first_name: string;
  last_name: string;
  company: string;
  variables: { city: string; employees: number };
}

const CITIES = ["Graz", "Leeds", "Lyon", "Turin", "Oslo", "Porto", "Cork"];
/** A multiplier that is odd runs through all 32-bit numbers without a repeat. */
const SCATTER = 2_654_435_761;

export function leadAt(index: number): Lead {
  const name = (Math.imul(index + 1, SCATTER) >>> 0).toString(36).padStart(7, "0");
  const company = `Company ${name.slice(0, 4)}`;
  return {
    email: `${name}@${name.slice(0, 4)}.example`,
    first_name: `First${name.slice(4)}`,
    last_name: `Last${name}`,
    company,
    variables: { city: CITIES[index % CITIES.length] ?? "Graz", employees: index % 500 },
  };
}
