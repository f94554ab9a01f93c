/** The few values of DER (X.690) that certificates and what asks for them are written in. */

/** Tag, length, content. */
export function tlv(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

export function text(tag: number, value: string): Buffer {
  return tlv(tag, Buffer.from(value));
}

export function oid(first: number, second: number, ...rest: readonly number[]): Buffer {
  const bytes = rest.flatMap((arc) => {
    const septets = [arc & 0x7f];
    for (let left = arc >> 7; left > 0; left >>= 7) {
      septets.unshift((left & 0x7f) | 0x80);
    }
    return septets;
  });
  return tlv(0x06, Buffer.from([first * 40 + second, ...bytes]));
}

export function pem(label: string, der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString("base64")
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`;
}

export const ECDSA_SHA256 = tlv(0x30, oid(1, 2, 840, 10045, 4, 3, 2));
export const SUBJECT_ALT_NAME = oid(2, 5, 29, 17);
