/** Looking whether a link answers. */

/** How long a link has to answer, name look-up and TLS included. */
export const LINK_MS_MAX = 5_000;

export type LinkOutcome =
  /** `location`: where it leads on; redirects are not followed. */
  | { kind: "answered"; status: number; location: string | null }
  | { kind: "failed"; reason: LinkFailure };

export type LinkFailure =
  | "not_a_link"
  | "dns"
  | "address_not_allowed"
  | "tls"
  | "refused"
  | "timeout"
  | "closed";

/** Bytes of a file that are read. */
export const FILE_BYTES_MAX = 65_536;

export type FileOutcome =
  | { kind: "answered"; status: number; text: string }
  | { kind: "failed"; reason: LinkFailure };

export interface Links {
  /** As `look`, and reads a small file. */
  read(url: string, team: string): Promise<FileOutcome>;
  /** Asks for `url`, for a team, and reads nothing but the head of the answer. Never rejects. */
  look(url: string, team: string): Promise<LinkOutcome>;
}
