/** One connection to a mail server that is spoken to by hand, bounded in time and in what it reads. */

import type { Socket } from "node:net";
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from "node:tls";
import { after } from "./deadline.ts";

/** Bytes of greetings and replies that are read. */
const REPLY_BYTES_MAX = 16_384;

/** The time for all of it is over. */
export class Late extends Error {}

/** One connection, bounded in time and in what it reads. */
export class Wire {
  private socket: Socket | TLSSocket;
  private heard = "";
  private failed: Error | undefined;
  private notify: () => void = () => undefined;
  private readonly cancel: () => void;

  constructor(socket: Socket, ms: number) {
    this.socket = socket;
    this.cancel = after(ms, () => this.fail(new Late("no response in time")));
    socket.on("error", (error) => this.fail(error));
    socket.on("close", () => this.fail(new Error("the server closed the connection")));
    socket.on("data", this.take);
  }

  private readonly take = (chunk: Buffer): void => {
    this.heard = (this.heard + chunk.toString("latin1")).slice(0, REPLY_BYTES_MAX);
    this.notify();
  };

  /** Waits for an event of the socket. */
  once(event: "connect"): Promise<void> {
    return new Promise((resolve, reject) => {
      this.onFailure(reject);
      this.socket.once(event, () => resolve());
    });
  }

  /** Resolves to all that was read since the last time, once it matches. */
  read(whole: RegExp): Promise<string> {
    return new Promise((resolve, reject) => {
      const look = () => {
        if (whole.test(this.heard)) {
          const text = this.heard;
          this.heard = "";
          this.notify = () => undefined;
          resolve(text);
        } else if (this.failed !== undefined) {
          reject(this.failed);
        } else if (this.heard.length >= REPLY_BYTES_MAX) {
          reject(new Error("the server says too much"));
        }
      };
      this.notify = look;
      look();
    });
  }

  write(text: string): void {
    this.socket.write(text);
  }

  /** Goes over to TLS; resolves to what is to be known of it. */
  upgrade(options: ConnectionOptions): Promise<string> {
    const plain = this.socket;
    plain.removeAllListeners("data");
    // What came before the handshake is nobody's word (RFC 3207 §6).
    this.heard = "";
    return new Promise((resolve, reject) => {
      this.onFailure(reject);
      const upgraded = connectTls({ ...options, socket: plain });
      this.socket = upgraded;
      upgraded.on("error", (error: Error) => this.fail(error));
      upgraded.on("close", () => this.fail(new Error("the server closed the connection")));
      upgraded.on("data", this.take);
      upgraded.once("secureConnect", () => {
        const until = upgraded.getPeerCertificate().valid_to ?? "";
        resolve(`${upgraded.getProtocol() ?? "TLS"}, certificate valid until ${until}`);
      });
    });
  }

  close(): void {
    this.cancel();
    this.notify = () => undefined;
    this.failed ??= new Error("closed");
    this.socket.destroy();
  }

  private onFailure(reject: (error: Error) => void): void {
    this.notify = () => {
      if (this.failed !== undefined) {
        reject(this.failed);
      }
    };
    this.notify();
  }

  private fail(error: Error): void {
    this.failed ??= error;
    this.notify();
  }
}
