/**
 * What servers say when they refuse, and what each text speaks of. Written down before the rule, partly from
 * public documentation and partly as such texts are commonly quoted: not each was held against its page.
 *
 * Where such texts are published: support.google.com/a/answer/3726730 (google); learn.microsoft.com "Email non-delivery reports in
 * Exchange Online" and smtpfieldmanual.com/spamfilter/exchangeonline (microsoft); senders.yahooinc.com/smtp-error-codes
 * and smtpfieldmanual.com/provider/yahoo (yahoo); support.apple.com/102322 and suped.com on Proofpoint (icloud);
 * postmaster.gmx.net and smtp.codes/unitedinternet (gmx); mimecastsupport.zendesk.com 34000709564691 (mimecast);
 * smtp.codes/550 (barracuda, at&t, zoho, proofpoint); smtp.codes/rackspace; spamhaus.org "Understanding DNSBL
 * return messages"; postfix.org/postconf.5 (postfix); RFC 7372 (authentication codes).
 */

/** Whom or what a refusal speaks of. */
export type Speaks =
  /** The address does not exist or takes nothing any more. */
  | "nobody"
  /** The recipient's own rate or mailbox. */
  | "recipient"
  /** Who sends: authentication, block lists, reputation. */
  | "sender"
  /** How much the sending mailbox or its server sends. */
  | "rate"
  /** This message. */
  | "content"
  /** Whom the recipient takes email from. */
  | "policy"
  | "temporary";

type Stage = "rcpt" | "data";

export const REFUSAL_TEXTS: readonly (readonly [Speaks, Stage, string])[] = [
  // google
  [
    "sender",
    "data",
    "550 5.7.26 This mail has been blocked because the sender is unauthenticated. Gmail requires all senders to authenticate with either SPF or DKIM.",
  ],
  [
    "sender",
    "data",
    "550 5.7.26 Unauthenticated email from example.com is not accepted due to domain's DMARC policy.",
  ],
  [
    "sender",
    "data",
    "550 5.7.1 The IP you're using to send mail is not authorized to send email directly to our servers.",
  ],
  [
    "sender",
    "data",
    "550 5.7.1 Our system has detected that this message is likely suspicious due to the very low reputation of the sending domain.",
  ],
  [
    "sender",
    "data",
    "550 5.7.1 Our system has detected that this message is likely suspicious due to the very low reputation of the sending IP address.",
  ],
  [
    "sender",
    "data",
    "550 5.7.25 The IP address sending this message does not have a PTR record setup.",
  ],
  [
    "sender",
    "data",
    "550 5.7.27 Gmail requires all senders to authenticate with SPF; SPF for example.com did not pass.",
  ],
  [
    "sender",
    "data",
    "550 5.7.30 DKIM authentication didn't pass for example.com; Gmail requires bulk senders to sign with DKIM.",
  ],
  [
    "content",
    "data",
    "550 5.7.1 Our system has detected that this message is likely unsolicited mail. To reduce the amount of spam sent to Gmail, this message has been blocked.",
  ],
  [
    "content",
    "data",
    "552 5.7.0 This message was blocked because its content presents a potential security issue.",
  ],
  ["policy", "data", "550 5.7.1 This message violates example.com email policy."],
  [
    "recipient",
    "rcpt",
    "450 4.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages from being delivered.",
  ],
  [
    "recipient",
    "rcpt",
    "450 4.2.1 The user you are trying to contact is receiving mail too quickly. Please resend your message at a later time.",
  ],
  [
    "recipient",
    "rcpt",
    "550 5.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages from being delivered.",
  ],
  ["recipient", "rcpt", "452 4.2.2 The email account that you tried to reach is over quota."],
  ["recipient", "rcpt", "552 5.2.2 The email account that you tried to reach is over quota."],
  [
    "nobody",
    "rcpt",
    "550 5.1.1 The email account that you tried to reach does not exist. Please try double-checking the recipient's email address.",
  ],
  ["nobody", "rcpt", "550 5.2.1 The email account that you tried to reach is disabled."],
  [
    "rate",
    "rcpt",
    "450 4.2.1 Peak SMTP relay limit exceeded for customer. This is a temporary error.",
  ],
  [
    "rate",
    "data",
    "421 4.7.0 Our system has detected an unusual rate of unsolicited mail originating from your IP address.",
  ],
  [
    "rate",
    "data",
    "421 4.7.28 Our system has detected an unusual rate of unsolicited mail originating from your SPF domain.",
  ],
  ["rate", "rcpt", "550 5.4.5 Daily user sending quota exceeded."],
  ["temporary", "data", "451 4.3.0 Mail server temporarily rejected message."],
  // microsoft
  [
    "sender",
    "rcpt",
    "550 5.7.1 Unfortunately, messages from [198.51.100.7] weren't sent. Please contact your Internet service provider since part of their network is on our block list (S3140).",
  ],
  [
    "sender",
    "rcpt",
    "550 5.7.606 Access denied, banned sending IP [198.51.100.7]. To request removal from this list please visit the delist portal.",
  ],
  [
    "sender",
    "rcpt",
    "550 5.7.1 Service unavailable, Client host [198.51.100.7] blocked using Spamhaus. To request removal from this list see their lookup (AS16012611)",
  ],
  [
    "sender",
    "data",
    "550 5.7.1 Service unavailable, Helo domain is listed in Spamhaus. To request removal from this list see their lookup (S8001)",
  ],
  [
    "sender",
    "data",
    "550 5.7.515 Access denied, sending domain example.com does not meet the required authentication level.",
  ],
  [
    "sender",
    "data",
    "550 5.7.509 Access denied, sending domain example.com does not pass DMARC verification and has a DMARC policy of reject.",
  ],
  [
    "sender",
    "rcpt",
    "550 5.7.511 Access denied, banned sender [198.51.100.7]. To request removal from this list please forward this message.",
  ],
  [
    "sender",
    "rcpt",
    "550 5.7.708 Service unavailable. Access denied, traffic not accepted from this IP.",
  ],
  [
    "sender",
    "data",
    "550 5.7.23 The message was rejected because of Sender Policy Framework violation",
  ],
  ["nobody", "rcpt", "550 5.4.1 [bo@example.com]: Recipient address rejected: Access denied"],
  [
    "nobody",
    "rcpt",
    "550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup",
  ],
  ["nobody", "rcpt", "550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302)."],
  ["policy", "data", "550 5.7.124 Sender not in allowed-senders list of the group"],
  [
    "policy",
    "data",
    "550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup; authentication required; Delivery restriction check failed because the sender was not authenticated when sending to this group",
  ],
  ["recipient", "data", "432 4.3.2 STOREDRV.Deliver; recipient thread limit exceeded"],
  ["recipient", "rcpt", "552 5.2.2 mailbox full; the recipient's mailbox is over its size limit"],
  ["rate", "data", "550 5.7.705 Access denied, tenant has exceeded threshold"],
  [
    "rate",
    "rcpt",
    "554 5.2.0 STOREDRV.Submission.Exception:SubmissionQuotaExceededException; Failed to process message due to a permanent exception",
  ],
  [
    "temporary",
    "rcpt",
    "451 4.7.500 Server busy. Please try again later from [198.51.100.7]. (AS77712344)",
  ],
  // yahoo
  [
    "sender",
    "data",
    "554 5.7.9 Message not accepted for policy reasons. See the page of error codes.",
  ],
  ["sender", "rcpt", "553 5.7.1 [BL21] Connections not accepted from IP addresses on Spamhaus PBL"],
  [
    "sender",
    "rcpt",
    "553 5.7.2 [TSS09] All messages from 198.51.100.7 will be permanently deferred; Retrying will NOT succeed.",
  ],
  ["sender", "data", "550 5.7.1 Email from this domain failed SPF and DKIM authentication checks"],
  ["nobody", "rcpt", "552 1 Requested mail action aborted, mailbox not found"],
  [
    "nobody",
    "rcpt",
    "554 delivery error: dd This user doesn't have a yahoo.com account (bo@yahoo.com) [0]",
  ],
  ["nobody", "rcpt", "554 delivery error: dd Not a valid recipient"],
  [
    "rate",
    "data",
    "421 4.7.0 [TSS04] Messages from 198.51.100.7 temporarily deferred due to unexpected volume or user complaints",
  ],
  [
    "recipient",
    "rcpt",
    "451 4.2.0 [TS02] recipient's mailbox is receiving too many messages; try later",
  ],
  // icloud and Proofpoint
  [
    "sender",
    "rcpt",
    "550 5.7.0 Blocked - see the Proofpoint dynamic reputation lookup for 198.51.100.7",
  ],
  ["sender", "rcpt", "554 5.7.0 Blocked - see https://ipcheck.proofpoint.com/?ip=198.51.100.7"],
  [
    "sender",
    "data",
    "550 5.7.1 Mail from IP 198.51.100.7 was rejected due to listing in Spamhaus SBL",
  ],
  [
    "sender",
    "data",
    "554 5.7.1 [HM07] Message rejected due to local policy: DMARC of the sending domain did not pass",
  ],
  [
    "content",
    "data",
    "554 5.7.1 [CS01] Message rejected due to local policy. Please visit the postmaster page.",
  ],
  ["nobody", "rcpt", "550 5.1.1 <bo@icloud.com>: user does not exist"],
  ["recipient", "rcpt", "552 5.2.2 <bo@icloud.com>: user is over quota"],
  // zoho
  [
    "sender",
    "rcpt",
    "554 5.7.1 Email cannot be delivered. Reason: Email flagged as Spam: sender's IP is blacklisted",
  ],
  ["rate", "rcpt", "550 5.4.6 Unusual sending activity detected. Please try after sometime"],
  ["nobody", "rcpt", "550 5.1.1 User does not exist - <bo@zoho.example>"],
  // gmx, web.de
  ["sender", "rcpt", "554 IP address is block listed. For explanation visit the postmaster page"],
  [
    "sender",
    "data",
    "550 <bo@gmx.example>: Reject due to SPF policy. The originating IP of the message is not permitted by the domain owner",
  ],
  ["sender", "rcpt", "554 Bad DNS PTR resource record. For explanation visit the postmaster page"],
  ["nobody", "rcpt", "550 Requested action not taken: mailbox unavailable"],
  ["recipient", "rcpt", "552 Requested mail action aborted: exceeded storage allocation"],
  // Mimecast
  ["sender", "rcpt", "550 Local CT IP Reputation Policy - reject"],
  [
    "sender",
    "rcpt",
    "550 Rejected by anti-spoofing policy: SPF Sender Invalid - envelope rejected",
  ],
  ["sender", "data", "550 DMARC Sender Invalid - envelope rejected"],
  ["sender", "data", "550 DKIM Sender Invalid - envelope rejected"],
  ["policy", "rcpt", "550 Administrative prohibition - envelope blocked"],
  ["content", "data", "554 Email rejected due to security policies - message content"],
  ["nobody", "rcpt", "550 Invalid Recipient"],
  ["temporary", "rcpt", "451 Internal resource temporarily unavailable"],
  // Barracuda
  [
    "sender",
    "rcpt",
    "554 Service unavailable; Client host [198.51.100.7] blocked using Barracuda Reputation",
  ],
  [
    "nobody",
    "rcpt",
    "550 5.1.1 cuda_nsu <bo@example.com> Recipient address rejected: User unknown",
  ],
  ["nobody", "rcpt", "550 No such user (bo@example.com)"],
  // rackspace, at&t, Postfix, Spamhaus users
  [
    "recipient",
    "rcpt",
    "450 4.2.1 <bo@example.com>: Mailbox received too much email in a short period of time (G30)",
  ],
  [
    "sender",
    "rcpt",
    "554 5.7.1 Service unavailable; Client host [198.51.100.7] blocked using zen.spamhaus.org",
  ],
  [
    "sender",
    "rcpt",
    "554 5.7.1 Service unavailable; Sender address [ann@example.com] blocked using dbl.spamhaus.org",
  ],
  ["sender", "rcpt", "550 5.7.1 Client host rejected: cannot find your reverse hostname"],
  [
    "sender",
    "rcpt",
    "550 5.7.1 Connections not accepted from servers without a valid sender domain. Fix reverse DNS for 198.51.100.7",
  ],
  ["sender", "rcpt", "550 5.7.1 Mail from 198.51.100.7 refused, see bl.spamcop.net"],
  ["sender", "data", "550 5.7.20 No passing DKIM signature found"],
  ["sender", "data", "550 5.7.22 No valid author-matched DKIM signature found"],
  [
    "nobody",
    "rcpt",
    "550 5.1.1 <bo@example.com>: Recipient address rejected: User unknown in virtual mailbox table",
  ],
  ["content", "data", "554 5.7.1 Message blocked: virus found in attachment"],
  ["content", "data", "550 5.7.1 Message content rejected: spam score 9.4"],
  ["content", "data", "552 5.3.4 Message size exceeds fixed limit"],
  ["temporary", "rcpt", "450 4.2.0 <bo@example.com>: Recipient address rejected: Greylisted"],
  ["temporary", "rcpt", "451 4.7.1 Greylisting in action, please come back later"],
  ["temporary", "data", "452 4.3.1 Insufficient system storage"],
];
